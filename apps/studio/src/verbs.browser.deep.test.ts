// Deep: it works through Studio in Chromium; `pages.browser.test.ts` shows its pages.
import { defineTool } from '@parley/core'
import { defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { openStudioBrowser, SLOW } from './__fixtures__/open-studio.ts'

let browser: Awaited<ReturnType<typeof openStudioBrowser>>
beforeAll(async () => {
  browser = await openStudioBrowser()
}, 2 * SLOW)
afterAll(async () => browser[Symbol.asyncDispose]())

test(
  'an approval is decided in the inbox: approved, rejected with a reason, or with other arguments',
  { timeout: 2 * SLOW },
  async context => {
    await using studio = await browser.open(context)
    const { runtime } = studio
    const ask = async (order: string): Promise<string> => {
      const run = runtime.run('support', `My order ${order} never arrived.`)
      await run.result
      return run.runId
    }
    const [approved, rejected, edited] = [await ask('A-1'), await ask('B-2'), await ask('C-3')]
    const page = await studio.openPage('/approvals')
    await page.getByRole('status').filter({ hasText: '3 pending' }).waitFor()
    const card = (order: string) => page.getByRole('article').filter({ hasText: order })

    await card('A-1').getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('status').filter({ hasText: '2 pending' }).waitFor()
    await card('B-2').getByRole('button', { name: 'Reject' }).click()
    await card('B-2').getByLabel('Reason, which the model reads').fill('Too late')
    await card('B-2').getByRole('button', { name: 'Reject' }).click()
    await page.getByRole('status').filter({ hasText: '1 pending' }).waitFor()
    await card('C-3').getByRole('button', { name: 'Edit' }).click()
    const field = card('C-3').getByLabel('Arguments, as JSON')
    await field.fill('{ "order": "C-3", "euros": ')
    await card('C-3').getByRole('button', { name: 'Approve the changed call' }).click()
    await page.getByText('The arguments are not JSON').waitFor()
    await field.fill('{ "order": "C-3", "euros": 5 }')
    await card('C-3').getByRole('button', { name: 'Approve the changed call' }).click()
    await page.getByText('Nothing waits for a decision').waitFor()

    const textOf = async (runId: string): Promise<string> => JSON.stringify(await runtime.transcript(runId))
    await expect.poll(() => textOf(approved)).toContain('Paid 48 euros for order A-1')
    await expect.poll(() => textOf(rejected)).toContain('Too late')
    await expect.poll(() => textOf(edited)).toContain('Paid 5 euros for order C-3')
    expect(studio.faults).toEqual([])
  },
)

test('a fork replaces a result, keeps the call, and says so before', { timeout: 2 * SLOW }, async context => {
  await using studio = await browser.open(context)
  const executed: string[] = []
  const run = studio.runtime.run('researcher', 'whales')
  for await (const event of run) if (event.type === 'tool.started') executed.push(event.name)
  const page = await studio.openPage(`/runs/${run.runId}?tab=entries`)
  await page.getByRole('option', { name: 'tool.ended' }).click()
  await page.getByRole('button', { name: 'Fork from here' }).click()
  const dialog = page.getByRole('dialog', { name: /Fork from entry/ })
  await dialog.getByText('keeps its result and does not run again').waitFor()
  await dialog.getByLabel('Replace the result of').selectOption({ index: 1 })
  await dialog.getByText('gets another result and does not run').waitFor()
  await dialog.getByLabel('Result that the model reads').fill('Nothing was found.')
  await dialog.getByRole('button', { name: 'Fork', exact: true }).click()
  await page.waitForURL(url => !url.pathname.includes(run.runId))
  const forked = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await expect.poll(async () => (await studio.runtime.runs({ relation: 'branch' }))[0]?.status).toBe('completed')
  expect(JSON.stringify(await studio.runtime.transcript(forked))).toContain('Nothing was found.')
  expect(executed).toEqual(['search'])
  for await (const event of studio.runtime.replay(forked)) expect(event.type).not.toBe('tool.started')
  expect(studio.faults).toEqual([])
})

test('a run is repeated three times, and the runs stand side by side', { timeout: SLOW }, async context => {
  await using studio = await browser.open(context)
  const run = studio.runtime.run('researcher', 'whales')
  await run.result
  const page = await studio.openPage(`/runs/${run.runId}`)
  await page.getByRole('button', { name: 'Run again' }).click()
  await page.getByLabel('How many times (1 to 10)').fill('3')
  await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click()
  await page.getByRole('region', { name: 'Repetition 3' }).getByText('completed').waitFor()
  expect(await studio.runtime.runs({ relation: 'rerun' })).toHaveLength(3)
  expect(studio.faults).toEqual([])
})

test('a run at work is steered and cancelled', { timeout: SLOW }, async context => {
  const wait = defineTool({
    name: 'wait',
    description: 'Waits until it is cancelled.',
    input: z.object({}),
    effect: 'read',
    execute: (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  })
  const model = scriptedModel([{ toolCalls: [{ name: 'wait' }] }])
  await using studio = await browser.open(context, { agents: [defineAgent({ name: 'waiter', model, tools: [wait] })] })
  const run = studio.runtime.run('waiter', 'Wait for me.')
  const page = await studio.openPage(`/runs/${run.runId}?tab=entries`)
  await page.getByRole('button', { name: 'Steer' }).click()
  await page.getByLabel('Message').fill('Hurry up.')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('option', { name: 'Hurry up.' }).waitFor()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('button', { name: 'Cancel the run' }).click()
  await page.locator('.status', { hasText: 'cancelled' }).waitFor()
  expect((await run.result).status).toBe('cancelled')
  expect(studio.faults).toEqual([])
})

test('a finished run is scrubbed back and replayed without a model call', { timeout: SLOW }, async context => {
  await using studio = await browser.open(context)
  const run = studio.runtime.run('researcher', 'whales')
  await run.result
  const page = await studio.openPage(`/runs/${run.runId}?tab=conversation&upto=2`)
  await page.getByText('2 of').waitFor()
  expect(await page.getByRole('article', { name: 'Assistant' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Replay' }).click()
  await page.getByText('three documents', { exact: true }).waitFor()
  expect(await studio.runtime.runs()).toHaveLength(1)
  expect(studio.faults).toEqual([])
})

test('a run is copied as a test, and deleted', { timeout: SLOW }, async context => {
  await using studio = await browser.open(context)
  const run = studio.runtime.run('researcher', 'whales')
  await run.result
  const page = await studio.openPage(`/runs/${run.runId}`)
  await page.getByRole('button', { name: 'Copy as test' }).click()
  await page.getByLabel('Test', { exact: true }).getByText('scriptedModel').first().waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete the run' }).click()
  await page.getByText('There are no runs yet').waitFor()
  expect(await studio.runtime.runs()).toEqual([])
  expect(studio.faults).toEqual([])
})

test('a chat streams, asks for approval inline, regenerates and branches', { timeout: 2 * SLOW }, async context => {
  await using studio = await browser.open(context)
  const page = await studio.openPage('/play?agent=support')
  const send = async (text: string): Promise<void> => {
    await page.getByLabel('Message', { exact: true }).fill(text)
    await page.keyboard.press('Enter')
  }
  await send('Hello')
  await page.getByText('Which order is it?').waitFor()
  await send('Order D-4')
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Done: Paid 48 euros for order D-4.').waitFor()
  await page.getByText('Which order is it?').waitFor()
  await page.getByRole('button', { name: 'Regenerate' }).click()
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await page.getByRole('button', { name: 'Reject' }).click()
  await page.getByLabel('Reason, which the model reads').fill('No')
  await page.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('I may not pay this back.').waitFor()
  await page.getByRole('button', { name: 'Edit and branch' }).last().click()
  await page.getByLabel('Message', { exact: true }).fill('Never mind')
  await page.getByRole('button', { name: 'Branch', exact: true }).click()
  await expect.poll(async () => (await studio.runtime.runs())[0]?.preview).toBe('Never mind')
  expect(studio.faults).toEqual([])
})
