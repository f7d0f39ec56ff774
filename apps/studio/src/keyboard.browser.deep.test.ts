// Deep: it works through Studio in Chromium; `pages.browser.test.ts` shows its pages.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStudioBrowser, SLOW } from './__fixtures__/open-studio.ts'
import { STUDIO_PAGES } from './__fixtures__/studio-pages.ts'

let browser: Awaited<ReturnType<typeof openStudioBrowser>>
beforeAll(async () => {
  browser = await openStudioBrowser()
}, 2 * SLOW)
afterAll(async () => browser[Symbol.asyncDispose]())

/** Marks each control that has had the focus. */
const REACHED = 'data-reached'

test(
  'the Tab key reaches every control of every page, and the focus can be seen',
  { timeout: 4 * SLOW },
  async context => {
    await using studio = await browser.open(context, { isSeeded: true })
    const page = await studio.openPage()
    const found: string[] = []
    for (const [name, address, text] of STUDIO_PAGES) {
      await page.goto(`${studio.url()}/studio${address(studio.seeded)}`)
      await page.getByText(text).first().waitFor()
      const { invisible, unreached } = await walk(page)
      found.push(...invisible.map(control => `${name}: the focus cannot be seen on ${control}`))
      found.push(...unreached.map(control => `${name}: the Tab key does not reach ${control}`))
    }
    expect(found).toEqual([])
  },
)

test('an approval is found and approved with the keyboard alone', { timeout: SLOW }, async context => {
  await using studio = await browser.open(context)
  const run = studio.runtime.run('support', 'My order A-1 never arrived.')
  await run.result
  const page = await studio.openPage()
  await page.getByText('My order A-1 never arrived.').waitFor()
  await tabTo(page, /^Approvals/)
  await page.keyboard.press('Enter')
  await page.getByText('Pay this money back?').waitFor()
  await tabTo(page, /^Approve$/)
  await page.keyboard.press('Enter')
  await page.getByText('Nothing waits for a decision').waitFor()
  await expect.poll(async () => JSON.stringify(await studio.runtime.transcript(run.runId))).toContain('Paid 48 euros')
})

test(
  'a dialog keeps the focus inside, closes with Escape and gives the focus back',
  { timeout: SLOW },
  async context => {
    await using studio = await browser.open(context)
    const run = studio.runtime.run('researcher', 'whales')
    await run.result
    const page = await studio.openPage(`/runs/${run.runId}`)
    await page.getByRole('button', { name: 'Run again' }).waitFor()
    await tabTo(page, /^Run again$/)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    // The page moves the focus with the next frame.
    const holdsFocus = (): Promise<boolean> => dialog.evaluate(element => element.contains(document.activeElement))
    await expect.poll(holdsFocus).toBe(true)
    for (let press = 0; press < 12; press += 1) {
      await page.keyboard.press('Tab')
      await expect.poll(holdsFocus).toBe(true)
    }
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe('Run again')
  },
)

/** Presses Tab until the focus is back at the start of the page. */
async function walk(page: Page): Promise<{ readonly invisible: string[]; readonly unreached: string[] }> {
  const invisible: string[] = []
  for (let press = 0; press < 200; press += 1) {
    await page.keyboard.press('Tab')
    const step = await page.evaluate(mark => {
      const control = document.activeElement
      if (control === null || control === document.body || control.hasAttribute(mark)) return 'end'
      control.setAttribute(mark, '')
      // The outline of a field or a node may be on the part around it or inside it.
      const parts = [control, control.parentElement ?? control, control.firstElementChild ?? control]
      const isSeen = parts.some(element => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
        return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
      })
      return isSeen ? 'seen' : control.outerHTML.slice(0, 100)
    }, REACHED)
    if (step === 'end') break
    if (step !== 'seen') invisible.push(step)
  }
  const unreached = await page.evaluate(mark => {
    const controls = document.querySelectorAll(
      'a[href], button, input, select, textarea, summary, [role=tab], [role=option], [role=slider]',
    )
    // Within one of these, arrow keys move on from the control that has the focus.
    const GROUPS = '[role=tablist], [role=listbox], [role=grid], [role=radiogroup]'
    const isReached = (radios: string): boolean =>
      document.querySelector(`[type=radio][name=${radios}][${mark}]`) !== null
    return [...controls]
      .filter(
        control =>
          control.checkVisibility({ visibilityProperty: true }) && !control.matches(':disabled, [aria-hidden=true] *'),
      )
      .filter(control => !control.hasAttribute(mark) && control.closest(GROUPS)?.querySelector(`[${mark}]`) == null)
      .filter(control => control.closest(GROUPS)?.hasAttribute(mark) !== true)
      .filter(control => !(control instanceof HTMLInputElement && control.type === 'radio' && isReached(control.name)))
      .map(control => control.outerHTML.slice(0, 100))
  }, REACHED)
  return { invisible, unreached }
}

/** Presses Tab until a control with this text has the focus. */
async function tabTo(page: Page, text: RegExp): Promise<void> {
  const passed: string[] = []
  while (passed.length < 60) {
    await page.keyboard.press('Tab')
    const now = await focused(page)
    if (text.test(now)) return
    passed.push(now)
  }
  throw new Error(`The Tab key does not lead to ${text}, only to ${passed.join(', ')}.`)
}

async function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')
}
