import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium as playwright, type Browser } from 'playwright-core'

/**
 * Starts Chromium from the npm registry. It is unpacked into a folder of its own, so that a broken copy of another run is not
 * used.
 * @returns `undefined` if this platform cannot start it.
 */
export async function openChromium() {
  const before = process.env['TMPDIR']
  const folder = await mkdtemp(join(tmpdir(), 'parley-chromium-'))
  const close = async (browser?: Browser): Promise<void> => {
    await browser?.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    // The package unpacks into the folder for temporary files.
    process.env['TMPDIR'] = folder
    const { default: packed } = await import('@sparticuz/chromium')
    const executablePath = await packed.executablePath()
    const browser = await playwright.launch({ executablePath, args: ['--no-sandbox', '--headless=shell'] })
    return { browser, [Symbol.asyncDispose]: () => close(browser) }
  } catch (error) {
    await close()
    process.stderr.write(`\n*** CHROMIUM DID NOT START: THE TESTS IN A BROWSER ARE SKIPPED ***\n${String(error)}\n\n`)
    return undefined
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}
