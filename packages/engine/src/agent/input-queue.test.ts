import { messageText } from '@parley/core'
import { describe, expect, it } from 'vitest'
import type { InputQueueOptions } from './input-queue.ts'
import { eventsOf, setup } from '../runtime/__fixtures__/set-up-agent.ts'

/** A run whose first answer waits until `release`, and the messages its model received. */
async function waiting(queue: InputQueueOptions) {
  const gate = Promise.withResolvers<void>()
  const given = setup((_, index) => (index === 0 ? { until: gate.promise, text: '0' } : String(index)), { queue })
  const sent = () => given.model.requests.map(({ messages }) => messages.map(messageText).join(' '))
  const run = given.run('go')
  for await (const event of run) if (event.type === 'model.started') break
  return { run, release: gate.resolve, sent }
}

describe('queued messages', () => {
  it('by default steering messages join together and follow-ups join one at a time', async () => {
    const { run, release, sent } = await waiting({})
    for (const text of ['s1', 's2']) await run.steer(text)
    for (const text of ['f1', 'f2']) await run.followUp(text)
    release()
    expect((await run.result).status).toBe('completed')
    expect(sent()).toEqual(['go', 'go 0 s1 s2', 'go 0 s1 s2 1 f1', 'go 0 s1 s2 1 f1 2 f2'])
  })

  it('with steering one and followUps all, steering joins one at a time and follow-ups join together', async () => {
    const { run, release, sent } = await waiting({ steering: 'one', followUps: 'all' })
    for (const text of ['s1', 's2']) await run.steer(text)
    for (const text of ['f1', 'f2']) await run.followUp(text)
    release()
    await run.result
    expect(sent()).toEqual(['go', 'go 0 s1', 'go 0 s1 1 s2', 'go 0 s1 1 s2 2 f1 f2'])
  })

  it('a message above the queue’s capacity is rejected, and queued messages stay', async () => {
    const { run, release, sent } = await waiting({ capacity: 2, followUps: 'all' })
    await run.followUp('a')
    await run.steer('b')
    await expect(run.followUp('c')).rejects.toThrow('is full (2 messages)')
    release()
    await run.result
    expect(sent().join()).toContain('a')
    expect(sent().join()).not.toContain('c')
  })

  it('onFull drop-oldest drops the oldest queued message and records it', async () => {
    const { run, release, sent } = await waiting({ capacity: 2, onFull: 'drop-oldest', followUps: 'all' })
    for (const text of ['a', 'b', 'c']) await run.followUp(text)
    release()
    const events = await eventsOf(run)
    expect(sent()).toEqual(['go', 'go 0 b c'])
    const [first] = events.flatMap(event => (event.type === 'input.queued' ? [event.queueId] : []))
    expect(events.flatMap(event => (event.type === 'input.dropped' ? [event.queueId] : []))).toEqual([first])
  })

  it.each([
    [{ capacity: 0 }, 'agents.a.queue.capacity: is 0'],
    [{ onFull: 'explode' }, "agents.a.queue.onFull: is 'explode'; must be refuse or drop-oldest"],
    [{ steering: 'some' }, "agents.a.queue.steering: is 'some'; must be all or one"],
    [{ followUps: 'some' }, "agents.a.queue.followUps: is 'some'"],
  ])('defineAgent rejects the queue options %j with the error %s', (queue, message) => {
    expect(() => setup([], { queue: queue as never })).toThrow(message)
  })
})
