import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createMessageQueue } from './message-queue.ts'

it('the message queue keeps the order and loses no message', async () => {
  const messages = fc.array(fc.record({ id: fc.option(fc.nat(), { nil: undefined }), mark: fc.nat() }))
  await fc.assert(
    fc.asyncProperty(messages, async items => {
      const sent = items.map(({ id, mark }) => (id === undefined ? { mark } : { id, mark }))
      const delivered: object[] = []
      const queue = createMessageQueue(message => delivered.push(message))
      for (const message of sent) queue.push(message)
      await queue.drained()
      expect(delivered).toEqual(sent)
    }),
    { numRuns: 50 },
  )
})

it('the effects of a notification happen before the next message is delivered', async () => {
  const order: string[] = []
  const queue = createMessageQueue(message => {
    if ('id' in message) order.push('result')
    else
      void Promise.resolve()
        .then(() => Promise.resolve())
        .then(() => order.push('progress'))
  })
  queue.push({ method: 'notifications/progress' })
  queue.push({ id: 1 })
  await queue.drained()
  expect(order).toEqual(['progress', 'result'])
})
