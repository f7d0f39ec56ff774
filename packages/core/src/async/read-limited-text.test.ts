import { expect, it } from 'vitest'
import { readLimitedText } from './read-limited-text.ts'

it('readLimitedText returns the whole text of a body within the limit', async () => {
  expect(await readLimitedText(new Response('grüße'), 7)).toEqual({ text: 'grüße', cut: false })
  expect(await readLimitedText(new Response(null), 7)).toEqual({ text: '', cut: false })
})

it('readLimitedText cuts a body between characters and cancels the rest, even if the body never ends', async () => {
  expect(await readLimitedText(new Response('grüße'), 3)).toEqual({ text: 'gr', cut: true })
  let pulls = 0
  let cancelled = false
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulls += 1
      controller.enqueue(new Uint8Array(1000).fill(97))
    },
    cancel: () => void (cancelled = true),
  })
  const { text, cut } = await readLimitedText(new Response(endless), 10_000)
  expect([text.length, cut, cancelled]).toEqual([10_000, true, true])
  expect(pulls).toBeLessThan(20)
})
