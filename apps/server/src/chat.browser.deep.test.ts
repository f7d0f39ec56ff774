// Deep: it shows ten pages in Chromium; `chat-page.browser.test.ts` shows one.
import type { Model } from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { covers } from './__fixtures__/client-cells.ts'
import { openChatBrowser, SLOW, untilAnswered } from './__fixtures__/open-chat-browser.ts'

const overloaded = { code: 'model-overloaded', provider: 'scripted', detail: 'Try later.' } as const
const scope = 'default'

describe('useChat of @ai-sdk/react in Chromium', { timeout: SLOW }, () => {
  let browser: Awaited<ReturnType<typeof openChatBrowser>>

  beforeAll(async () => {
    browser = await openChatBrowser()
  }, SLOW)
  afterAll(() => browser[Symbol.asyncDispose]())

  it(
    'regenerate() and an edited message replace the answer, and the model does not read the first one',
    covers('useChat: regenerate'),
    async context => {
      const model = scriptedModel(['One.', 'Two.', 'Three.', 'Four.'])
      await using chat = await browser.openChat(context, { agent: { model } })
      const { page } = chat
      await page.getByText('Send').click()
      await untilAnswered(page, 'One.')
      await page.getByText('Regenerate').click()
      await untilAnswered(page, 'Two.')
      await page.getByText('Send').click()
      await untilAnswered(page, 'Three.')
      expect(await page.locator('.assistant .text').allTextContents()).toEqual(['Two.', 'Three.'])
      await page.getByText('Edit').click()
      await untilAnswered(page, 'Four.')
      expect(await page.locator('.text').allTextContents()).toEqual(['Edited.', 'Four.'])
      const read = model.requests.map(({ messages }) =>
        messages.map(({ content }) => (content as { text?: string }[])[0]?.text),
      )
      expect(read).toEqual([['Go.'], ['Go.'], ['Go.', 'Two.', 'Go.'], ['Edited.']])
    },
  )

  it('stop() cancels the run, and the next message is answered', covers('useChat: stop'), async context => {
    const script = [{ text: 'The quick brown fox', hang: true }, 'Hello again.']
    await using chat = await browser.openChat(context, { script })
    const { page, store } = chat
    await page.getByText('Send').click()
    await page.getByText('The quick brown fox').waitFor()
    await page.getByText('Stop').click()
    await vi.waitFor(async () => expect(await store.runs({ scope })).toMatchObject([{ status: 'cancelled' }]), 30_000)
    await untilAnswered(page, 'The quick brown fox')
    await page.getByText('Send').click()
    await untilAnswered(page, 'Hello again.')
  })

  it('a page that is loaded in the middle of an answer shows its beginning at once, then each further piece', async context => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
    const model: Model = {
      provider: 'p',
      id: 'm',
      info: {},
      async *stream() {
        yield { type: 'text.delta', text: 'One ' }
        await gates[0].promise
        yield { type: 'text.delta', text: 'two ' }
        await gates[1].promise
        yield { type: 'text.delta', text: 'three.' }
        yield { type: 'finish', reason: 'stop' }
      },
    }
    await using chat = await browser.openChat(context, { agent: { model }, onDisconnect: { 'ai-sdk-ui': 'continue' } })
    const { page, address } = chat
    await page.getByText('Send').click()
    await page.getByText('One').waitFor()
    await page.goto(`${address}&resume=yes`)
    await page.getByText('One').waitFor()
    gates[0].resolve()
    await page.getByText('One two').waitFor()
    gates[1].resolve()
    await untilAnswered(page, 'One two three.')
  })

  it(
    'a reloaded page resumes the answer that is being written, and reads nothing when it is complete',
    covers('useChat: stream', 'useChat: tools', 'useChat: resume'),
    async context => {
      const until = Promise.withResolvers<void>()
      const script = [
        { toolCalls: [{ name: 'weather', input: { city: 'Oslo' } }] },
        { text: 'Sunny.', until: until.promise },
      ]
      await using chat = await browser.openChat(context, { script, onDisconnect: { 'ai-sdk-ui': 'continue' } })
      const { page, address, store } = chat
      const reload = async (): Promise<number> => {
        const answer = page.waitForResponse(response => response.url().endsWith('/api/chat/chat/stream'))
        await page.goto(`${address}&resume=yes`)
        return (await answer).status()
      }
      await page.getByText('Send').click()
      await page.locator('.tool[data-state=output-available]').waitFor()
      expect(await reload()).toBe(200)
      await page.locator('.tool[data-state=output-available]').waitFor()
      until.resolve()
      await untilAnswered(page, 'Sunny.')
      expect(await page.locator('.tool').getAttribute('data-input')).toBe('{"city":"Oslo"}')
      expect(await store.runs({ scope })).toMatchObject([{ status: 'completed' }])
      expect(await reload()).toBe(204)
      await page.locator('#status', { hasText: 'ready' }).waitFor()
      expect(await page.locator('.assistant').count()).toBe(0)
    },
  )

  it(
    'a failed run shows its public sentence, and regenerate() answers the message again',
    covers('useChat: failure'),
    async context => {
      const model = scriptedModel([{ text: 'Well', error: overloaded }, 'Fine.'])
      await using chat = await browser.openChat(context, { agent: { model } })
      const { page } = chat
      await page.getByText('Send').click()
      await page.locator('#status', { hasText: 'error' }).waitFor()
      expect(await page.locator('#error').textContent()).toMatch(/overloaded/i)
      expect(await page.locator('#error').textContent()).not.toContain('Try later.')
      await page.getByText('Regenerate').click()
      await untilAnswered(page, 'Fine.')
      expect(await page.locator('.assistant .text').allTextContents()).toEqual(['Fine.'])
      expect(model.requests[1]?.messages).toHaveLength(1)
    },
  )
})
