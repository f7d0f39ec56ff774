import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installPrograms, programs } from '@parley-tooling/runtimes/install-programs'
import { notTried } from '@parley-tooling/test-run/not-tried'
import { chromium as playwright, type Browser } from 'playwright-core'
import type { TestContext } from 'vitest'

/** Skips a test that needs Chromium. */
export function notTriedInBrowser(context: Pick<TestContext, 'skip'>): never {
  return notTried(context, 'pages in a browser', 'Chromium does not start on this platform')
}

interface PackedChromium {
  readonly default: { executablePath(): Promise<string> }
}

/**
 * Starts Chromium from the npm registry, and installs it first if it is missing. It is unpacked into a folder of its own, so that a broken copy of another run is not
 * used.
 * @returns `undefined` if this platform cannot start it.
 * @throws An error with the output of pnpm if it cannot be installed.
 */
export async function openChromium() {
  await installPrograms()
  const before = process.env['TMPDIR']
  const folder = await mkdtemp(join(tmpdir(), 'parley-chromium-'))
  const close = async (browser?: Browser): Promise<void> => {
    await browser?.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    // The package unpacks into the folder for temporary files.
    process.env['TMPDIR'] = folder
    const { href } = pathToFileURL(programs.resolve('@sparticuz/chromium'))
    const { default: packed } = (await import(href)) as PackedChromium
    const executablePath = await packed.executablePath()
    const browser = await playwright.launch({ executablePath, args: ['--no-sandbox', '--headless=shell'] })
    return { browser, [Symbol.asyncDispose]: () => close(browser) }
  } catch (error) {
    await close()
    process.stderr.write(`Chromium did not start: ${String(error)}\n`)
    return undefined
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}
