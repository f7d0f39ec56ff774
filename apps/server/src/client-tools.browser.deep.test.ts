// Deep: it shows ten pages in Chromium; `chat-page.browser.test.ts` shows one.
import { defineTool } from '@parley/core'
import type { Script } from '@parley/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { covers } from './__fixtures__/client-cells.ts'
import { openChatBrowser, SLOW, untilAnswered } from './__fixtures__/open-chat-browser.ts'

const anything = { type: 'object' } as const

describe('useChat of @ai-sdk/react in Chromium', { timeout: SLOW }, () => {
  let browser: Awaited<ReturnType<typeof openChatBrowser>>

  beforeAll(async () => {
    browser = await openChatBrowser()
  }, SLOW)
  afterAll(() => browser[Symbol.asyncDispose]())

  /** Opens a chat with tools of the client and a tool that asks for approval. */
  async function openChat(context: TestContext, script: Script) {
    const paid: number[] = []
    const tools = [
      defineTool({ name: 'locate', description: 'Where the user is.', input: anything }),
      defineTool({ name: 'choose', description: 'Lets the user choose a colour.', input: anything }),
      defineTool({
        name: 'pay',
        description: 'Pays.',
        input: anything,
        permission: 'ask',
        execute: () => `receipt ${paid.push(1)}`,
      }),
    ]
    return { ...(await browser.openChat(context, { script, agent: { tools } })), paid }
  }

  const textOf = (page: Page): Promise<readonly string[]> => page.locator('.assistant .text').allTextContents()

  it(
    'onToolCall executes a call, and its output continues the run without a click',
    covers('useChat: client tools'),
    async context => {
      await using chat = await openChat(context, [{ toolCalls: [{ name: 'locate', input: {} }] }, 'You are in Bern.'])
      const { page, sent, runtime, store } = chat
      await page.getByText('Send').click()
      await untilAnswered(page, 'You are in Bern.')
      expect(await page.locator('.tool').getAttribute('data-state')).toBe('output-available')
      expect(sent).toHaveLength(2)
      const runs = await runtime.runs()
      expect(runs).toMatchObject([{ status: 'completed' }])
      const submitted = (await store.read(runs[0]?.runId ?? '')).filter(({ type }) => type === 'tool.submitted')
      expect(submitted).toMatchObject([{ submission: { structured: { city: 'Bern' } } }])
    },
  )

  it.for([
    ['Red', 'output-available', { type: 'result', structured: 'red' }],
    ['None', 'output-error', { type: 'result', isError: true, content: [{ text: 'too many' }] }],
  ] as const)(
    'the user answers a call with the button %s, and the run continues',
    async ([button, state, submission], context) => {
      const script = [{ toolCalls: [{ name: 'choose', input: {} }] }, 'Noted.']
      await using chat = await openChat(context, script)
      const { page, runtime, store } = chat
      await page.getByText('Send').click()
      await page.getByText(button).click()
      await untilAnswered(page, 'Noted.')
      expect(await page.locator('.tool').getAttribute('data-state')).toBe(state)
      const [run] = await runtime.runs()
      const entries = await store.read(run?.runId ?? '')
      expect(entries.find(({ type }) => type === 'tool.submitted')).toMatchObject({ submission })
    },
  )

  it(
    'a call of the client and an approval of one answer are both answered, and the tool of the server runs once',
    covers('useChat: approval yes'),
    async context => {
      const calls = ['locate', 'pay'].map(name => ({ name, input: {} }))
      await using chat = await openChat(context, [{ toolCalls: calls }, 'Paid in Bern.'])
      const { page, runtime, paid, sent } = chat
      await page.getByText('Send').click()
      await page.getByText('Approve').click()
      await untilAnswered(page, 'Paid in Bern.')
      expect(await textOf(page)).toEqual(['Paid in Bern.'])
      expect(paid).toHaveLength(1)
      // The question, and then the output with the decision.
      expect(sent).toHaveLength(2)
      expect(await runtime.runs()).toMatchObject([{ status: 'completed' }])
    },
  )

  it(
    'the user refuses a call of the server: it shows as denied with its input, and the chat continues',
    covers('useChat: approval no'),
    async context => {
      const script = [{ toolCalls: [{ name: 'pay', input: { sum: 3 } }] }, 'Then not.', 'Hello again.']
      await using chat = await openChat(context, script)
      const { page, runtime, paid, sent } = chat
      await page.getByText('Send').click()
      await page.getByText('Refuse').click()
      await untilAnswered(page, 'Then not.')
      expect(await page.locator('.tool').getAttribute('data-state')).toBe('output-denied')
      expect(await page.locator('.tool').getAttribute('data-input')).toBe('{"sum":3}')
      expect(paid).toHaveLength(0)
      expect(sent).toHaveLength(2)
      const [run] = await runtime.runs()
      expect(JSON.stringify(await runtime.transcript(run?.runId ?? ''))).toContain('too dear')
      await page.getByText('Send').click()
      await untilAnswered(page, 'Hello again.')
      expect(await runtime.runs()).toHaveLength(2)
    },
  )

  it('a chat continues after a call of the client with another question', async context => {
    const script = [{ toolCalls: [{ name: 'locate', input: {} }] }, 'You are in Bern.', 'Still in Bern.']
    await using chat = await openChat(context, script)
    const { page, runtime } = chat
    await page.getByText('Send').click()
    await untilAnswered(page, 'You are in Bern.')
    await page.getByText('Send').click()
    await untilAnswered(page, 'Still in Bern.')
    expect(await runtime.runs()).toHaveLength(2)
  })
})
