// Deep: it works through Studio in Chromium; `pages.browser.test.ts` shows its pages.
import { defineTool } from '@parley/core'
import { defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { HOSTILE_TEXTS } from './__fixtures__/hostile-texts.ts'
import { openStudioBrowser, SLOW } from './__fixtures__/open-studio.ts'

let browser: Awaited<ReturnType<typeof openStudioBrowser>>
beforeAll(async () => {
  browser = await openStudioBrowser()
}, 2 * SLOW)
afterAll(async () => browser[Symbol.asyncDispose]())

/** An agent that calls a tool and then waits for `next` before each further answer. */
function steppingAgent() {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const note = defineTool({
    name: 'note',
    description: 'Notes something.',
    input: z.object({ text: z.string() }),
    effect: 'read',
    execute: ({ text }) => `noted ${text}`,
  })
  const model = scriptedModel([
    { toolCalls: [{ name: 'note', input: { text: 'one' } }] },
    { until: gates[0]?.promise, toolCalls: [{ name: 'note', input: { text: 'two' } }] },
    { until: gates[1]?.promise, text: 'All noted.' },
  ])
  const agent = defineAgent({ name: 'clerk', model, tools: [note] })
  return { agent, next: (index: number): void => gates[index]?.resolve() }
}

test('two browsers follow one run, and both see every entry of it', { timeout: SLOW }, async context => {
  const { agent, next } = steppingAgent()
  await using studio = await browser.open(context, { agents: [agent] })
  const run = studio.runtime.run('clerk', 'Note this.')
  const pages = await Promise.all([0, 1].map(() => studio.openPage(`/runs/${run.runId}?tab=entries`)))
  await Promise.all(pages.map(page => page.getByRole('option', { name: 'note ended' }).waitFor()))
  next(0)
  next(1)
  const { seq } = await run.result.then(async () => (await studio.runtime.runs())[0] ?? { seq: 0 })
  await Promise.all(pages.map(page => page.getByText(`${seq} of ${seq}`).waitFor()))
  expect(studio.faults).toEqual([])
})

test(
  'a page whose server is restarted during the run catches up without a gap',
  { timeout: 2 * SLOW },
  async context => {
    const { agent, next } = steppingAgent()
    await using studio = await browser.open(context, { agents: [agent] })
    const run = studio.runtime.run('clerk', 'Note this.')
    const page = await studio.openPage(`/runs/${run.runId}?tab=entries`)
    await page.getByRole('option', { name: 'note ended' }).waitFor()
    const server = await studio.stopServer()
    await page.getByText('The connection broke').waitFor()
    next(0)
    next(1)
    const { seq } = await run.result.then(async () => (await studio.runtime.runs())[0] ?? { seq: 0 })
    await server.begin()
    await page.getByText(`${seq} of ${seq}`).waitFor()
    await page.getByText('Ended', { exact: true }).waitFor()
    const numbers = await page.locator('.entry > :first-child').allTextContents()
    expect(numbers).toEqual(numbers.map((_, index) => String(index + 1)))
  },
)

test('a slow network shows what has arrived', { timeout: 2 * SLOW }, async context => {
  await using studio = await browser.open(context)
  await studio.runtime.run('researcher', 'whales').result
  const page = await studio.openPage('/nowhere')
  await page.route('**/runs**', async route => {
    await new Promise(resolve => {
      setTimeout(resolve, 400)
    })
    await route.continue()
  })
  await page.goto(`${studio.url()}/studio/`)
  await page.getByText('Loading …').first().waitFor()
  await page.getByText('whales').waitFor()
  expect(studio.faults).toEqual([])
})

test('texts of models and tools never run as HTML or script', { timeout: 3 * SLOW }, async context => {
  const tool = defineTool({
    name: 'fetch_page',
    description: 'Returns a page.',
    input: z.object({}),
    effect: 'read',
    execute: () => HOSTILE_TEXTS.join('\n'),
  })
  const text = HOSTILE_TEXTS.join('\n\n')
  const model = scriptedModel([{ text, reasoning: text, toolCalls: [{ name: 'fetch_page' }] }, text])
  const agent = defineAgent({ name: '<img src=x onerror=alert(1)>'.replaceAll(/\W/g, '-'), model, tools: [tool] })
  await using studio = await browser.open(context, { agents: [agent] })
  const run = studio.runtime.run(agent.name, `<script>globalThis.hit = true</script> ${HOSTILE_TEXTS[0] ?? ''}`)
  await run.result
  const page = await studio.openPage(`/runs/${run.runId}?tab=conversation`)
  const dialogs: string[] = []
  page.on('dialog', dialog => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  for (const address of [
    `/runs/${run.runId}?tab=conversation`,
    `/runs/${run.runId}?tab=entries&seq=5`,
    '/',
    '/approvals',
  ]) {
    await page.goto(`${studio.url()}/studio${address}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
  await page.goto(`${studio.url()}/studio/runs/${run.runId}?tab=conversation`)
  await page.getByText('onerror').first().waitFor()
  for (const link of await page.locator('.prose a').all()) {
    expect(await link.getAttribute('href')).toMatch(/^(https?|mailto):/)
  }
  expect(await page.evaluate(() => 'hit' in globalThis)).toBe(false)
  expect(await page.locator('.prose :is(script, iframe, object, embed, form, style, svg, img)').count()).toBe(0)
  expect(dialogs).toEqual([])
  expect(studio.faults).toEqual([])
})
