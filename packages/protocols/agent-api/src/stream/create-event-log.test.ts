import { describe, expect, it } from 'vitest'
import { createEventLog, encodeSse, generateStreamingResponse, type EventLog } from '../index.ts'

const events = [...generateStreamingResponse(['a', 'b', 'c'], { responseId: 'r', now: () => 1000 })]
const frames = events.map(encodeSse)

async function framesOf(log: EventLog, startingAfter?: number): Promise<string[] | undefined> {
  const reader = log.read(startingAfter)
  if (reader === undefined) return undefined
  const list: string[] = []
  for await (const piece of reader) list.push(...piece.split(/(?<=\n\n)/))
  return list
}

describe('an event log', () => {
  it('the event log gives every reader the same bytes, from any number', async () => {
    const log = createEventLog()
    const early = framesOf(log)
    log.push(events.slice(0, 4))
    const middle = framesOf(log, 2)
    const live = framesOf(log, 3)
    log.push(events.slice(4))
    expect(await early).toEqual(frames)
    expect(await middle).toEqual(frames.slice(3))
    expect(await live).toEqual(frames.slice(4))
    expect(await framesOf(log, 5)).toEqual(frames.slice(6))
    expect(await framesOf(log, frames.length - 1)).toEqual([])
    expect(log.ended).toBe(true)
    expect(log.newest).toBe(frames.length - 1)
  })

  it('read gives undefined for a number that is not in the event log', () => {
    const log = createEventLog({ maxChars: (frames.at(-1) as string).length * 2 })
    expect(log.read(0)).toBeUndefined()
    log.push(events)
    expect(log.read(-1)).toBeUndefined()
    expect(log.read(events.length)).toBeUndefined()
    expect(log.read(events.length - 2)).toBeDefined()
  })

  it('the event log ends a reader that is too slow', async () => {
    const many = [...generateStreamingResponse(Array.from({ length: 5000 }, () => 'word'))]
    const log = createEventLog({ maxChars: 50_000 })
    log.push(many.slice(0, 3))
    const slow = log.read()
    expect(await slow?.next()).toMatchObject({ done: false })
    log.push(many.slice(3))
    let got = 1
    for await (const _ of slow!) got++
    expect(got).toBeLessThan(10)
    expect(log.newest).toBe(many.length - 1)
  })

  it('a waiting reader gets everything that arrives until gather resolves', async () => {
    const turn = Promise.withResolvers<void>()
    const log = createEventLog({ gather: () => turn.promise })
    const piece = log.read()?.next()
    for (const event of events.slice(0, 4)) log.push([event])
    await Promise.resolve()
    log.push(events.slice(4, 6))
    turn.resolve()
    expect((await piece)?.value).toBe(frames.slice(0, 6).join(''))
  })

  it('the event log keeps events of other protocols until end is called', async () => {
    const log = createEventLog<{ readonly type: string }>({ encode: ({ type }) => `${type};` })
    log.push([{ type: 'a' }, { type: 'b' }])
    expect(log.ended).toBe(false)
    const rest = log.read(0)
    log.end()
    expect(await rest?.next()).toEqual({ value: 'b;', done: false })
    expect(await rest?.next()).toEqual({ value: undefined, done: true })
  })

  it('a reader can leave while it waits', async () => {
    const log = createEventLog()
    const reader = log.read()
    const pending = reader?.next()
    await reader?.return?.()
    expect(await pending).toEqual({ value: undefined, done: true })
  })

  it('end ends every reader', async () => {
    const log = createEventLog()
    log.push(events.slice(0, 2))
    const reading = framesOf(log)
    log.end()
    log.push(events.slice(2))
    expect(await reading).toEqual(frames.slice(0, 2))
  })
})
