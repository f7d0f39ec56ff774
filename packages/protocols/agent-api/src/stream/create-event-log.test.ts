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

  it('the event log keeps every event that a slow reader was not sent', async () => {
    const many = [...generateStreamingResponse(Array.from({ length: 5000 }, (_, index) => `word ${index} `))]
    const log = createEventLog({ maxChars: 50_000 })
    log.push(many.slice(0, 3))
    const slow = log.read()
    let text = (await slow?.next())?.value ?? ''
    log.push(many.slice(3))
    for await (const piece of slow!) text += piece
    expect(text).toBe(many.map(encodeSse).join(''))
  })

  it('the event log drops old events once every reader was sent them', async () => {
    const log = createEventLog({ maxChars: 1_000, encode: ({ text }: { readonly text: string }) => text })
    const reader = log.read()
    for (const text of ['a', 'b', 'c']) log.push([{ text: text.repeat(600) }])
    expect(log.chars).toBe(1_800)
    await reader?.next()
    log.push([{ text: 'd' }])
    expect(log.read(-1)).toBeUndefined()
    expect(log.chars).toBe(601)
  })

  it('events whose content the last event repeats do not count', () => {
    const log = createEventLog({ maxChars: 10_000 })
    const large = [...generateStreamingResponse(Array.from({ length: 2_000 }, () => 'x'.repeat(1_000)))]
    log.push(large)
    expect(log.chars).toBeLessThan(10_000)
    expect(log.read(-1)).toBeDefined()
    expect(log.read(1_000)).toBeDefined()
  })

  it('the event log sends a large event in pieces, byte for byte', async () => {
    const text = 'a "quoted" \u2028 line\n😀'.repeat(30_000)
    const large = [...generateStreamingResponse([text])]
    const log = createEventLog()
    log.push(large)
    const pieces: string[] = []
    for await (const piece of log.read()!) pieces.push(piece)
    expect(pieces.join('')).toBe(large.map(encodeSse).join(''))
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(text.length / 4)
  })

  it('a reader that is cut receives the event that it has begun, and then the frame that says so', async () => {
    const large = [...generateStreamingResponse(['x'.repeat(500_000)])]
    const log = createEventLog({ maxChars: 1, cutFrame: last => `cut after ${last}` })
    log.push(large.slice(0, 5))
    const reader = log.read(3)!
    let text = (await reader.next()).value ?? ''
    reader.cut()
    log.push(large.slice(5))
    for await (const piece of reader) text += piece
    expect(text).toBe(`${encodeSse(large[4]!)}cut after 4`)
  })

  it('a reader that is released within a large event fails there, also after it was cut', async () => {
    for (const isCut of [false, true]) {
      const large = [...generateStreamingResponse(['x'.repeat(500_000)])]
      const log = createEventLog()
      log.push(large)
      const reader = log.read(3)!
      const begun = (await reader.next()).value
      if (isCut) reader.cut()
      log.release()
      await expect(reader.next()).rejects.toThrow('within a large event')
      expect(encodeSse(large[4]!).startsWith(begun ?? 'nothing')).toBe(true)
    }
  })

  it('a log that was released has no events and no readers', () => {
    const log = createEventLog()
    log.push(events)
    const reader = log.read()
    log.release()
    expect([log.readers, log.chars, log.newest]).toEqual([0, 0, events.length - 1])
    expect([-1, 0, events.length - 1].map(number => log.read(number) !== undefined)).toEqual([false, false, true])
    expect(reader).toBeDefined()
  })

  it('a reader that is released between two events ends with the frame that says so', async () => {
    const log = createEventLog({ cutFrame: last => `cut after ${last}` })
    log.push(events.slice(0, 2))
    const reader = log.read(1)!
    log.release()
    expect(await reader.next()).toEqual({ value: 'cut after 1', done: false })
    expect(await reader.next()).toEqual({ value: undefined, done: true })
  })

  it('a reader that is cut while it waits ends with the frame that says so', async () => {
    const log = createEventLog({ cutFrame: last => `cut after ${last}` })
    log.push(events.slice(0, 2))
    const reader = log.read(1)!
    const pending = reader.next()
    reader.cut()
    expect((await pending).value).toBe('cut after 1')
    expect(await reader.next()).toEqual({ value: undefined, done: true })
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
