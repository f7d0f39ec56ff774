import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStudioBrowser, SLOW } from './__fixtures__/open-studio.ts'
import { STUDIO_PAGES } from './__fixtures__/studio-pages.ts'

let browser: Awaited<ReturnType<typeof openStudioBrowser>>
beforeAll(async () => {
  browser = await openStudioBrowser()
}, 2 * SLOW)
afterAll(async () => browser[Symbol.asyncDispose]())

/** A phone, and a window of 1280 × 800 pixels at a zoom of 200 %. */
const SMALL_SIZES = [
  [400, 800],
  [640, 400],
] as const

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

test(
  'every page opens without an error, and passes axe in light and dark, and fits 400 pixels and a zoom of 200 %',
  { timeout: 4 * SLOW },
  async context => {
    await using studio = await browser.open(context, { isSeeded: true })
    const page = await studio.openPage()
    const found: string[] = []
    for (const [name, address, text] of STUDIO_PAGES) {
      await page.goto(`${studio.url()}/studio${address(studio.seeded)}`)
      await page.getByText(text).first().waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        found.push(...(await violations(page)).map(violation => `${name} (${colorScheme}): ${violation}`))
      }
      for (const [width, height] of SMALL_SIZES) {
        await page.setViewportSize({ width, height })
        if (await isTooWide(page)) found.push(`${name}: wider than ${width} pixels`)
      }
      await page.setViewportSize({ width: 1280, height: 800 })
    }
    expect(found).toEqual([])
    expect(studio.faults).toEqual([])
  },
)

test('the first load is at most 180 kB, compressed', { timeout: SLOW }, async context => {
  await using studio = await browser.open(context)
  const sizes: number[] = []
  const page = await studio.openPage('/nowhere')
  page.on('response', response => {
    const path = new URL(response.url()).pathname.replace(/^\/studio\//, '')
    sizes.push(browser.assets.get(path === '' ? 'index.html' : path)?.gzip.length ?? 0)
  })
  await page.goto(`${studio.url()}/studio/`)
  await page.getByText('There are no runs yet').waitFor()
  const total = sizes.reduce((sum, size) => sum + size, 0)
  expect(total).toBeGreaterThan(50_000)
  expect(total).toBeLessThan(180_000)
})

test('a viewer sees a run without any verb that changes it', { timeout: SLOW }, async context => {
  await using studio = await browser.open(context, { isSeeded: true, access: 'viewer' })
  const page = await studio.openPage(`/runs/${studio.seeded.waiting}?tab=entries&seq=5`)
  await page.getByRole('button', { name: 'Copy as test' }).waitFor()
  const names = await page.getByRole('button').allTextContents()
  for (const verb of ['Approve', 'Cancel', 'Run again', 'Resume', 'Follow up', 'Fork from here', 'Delete'])
    expect(names).not.toContain(verb)
  await page.goto(`${studio.url()}/studio/play`)
  await page.getByText('This server starts no runs for you').waitFor()
})

async function violations(page: Page): Promise<readonly string[]> {
  // The content policy of the page allows no other script, so the browser evaluates it.
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: AxeViolation[] }> } }
    const { violations } = await axe.run()
    return violations.map(({ id, nodes }) => `${id} ${nodes.map(node => node.html.slice(0, 120)).join(' | ')}`)
  })
}

interface AxeViolation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

async function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
}
