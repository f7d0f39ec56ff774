import { fakeClock } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import {
  encodeSse,
  generateStreamingResponse,
  readAgentStream,
  SSE_KEEP_ALIVE,
  toSseStream,
  type AgentEvent,
} from '../index.ts'

const events = [...generateStreamingResponse(['a', 'b'])]

async function* listed<TItem>(items: Iterable<TItem>): AsyncGenerator<TItem, void> {
  yield* items
}

describe('toSseStream', () => {
  it('toSseStream sends events and frames', async () => {
    const text = events.map(encodeSse).join('')
    expect(await new Response(toSseStream(listed(events))).text()).toBe(text)
    expect(await new Response(toSseStream(listed(events.map(encodeSse)))).text()).toBe(text)
    expect(await readAgentStream(toSseStream(listed(events))).response()).toEqual(events.at(-1))
  })

  it('toSseStream sends a large event in pieces', async () => {
    const large = [...generateStreamingResponse(['x'.repeat(500_000)])]
    const sizes: number[] = []
    let text = ''
    for await (const chunk of toSseStream(listed(large))) {
      sizes.push(chunk.length)
      text += new TextDecoder().decode(chunk)
    }
    expect(text).toBe(large.map(encodeSse).join(''))
    expect(Math.max(...sizes)).toBeLessThan(200_000)
  })

  it('toSseStream cuts a source whose reader accepts no data in time, and only then', async () => {
    const clock = fakeClock()
    let cuts = 0
    const source = Object.assign(listed(['a', 'b']), { cut: () => cuts++ })
    const reader = toSseStream(source, { readerTimeoutMs: 1_000, clock }).getReader()
    await clock.advance(999)
    await reader.read()
    await clock.advance(999)
    expect(cuts).toBe(0)
    await clock.advance(1)
    expect(cuts).toBe(1)
    await reader.cancel()
    expect(clock.pending).toBe(0)
  })

  it('toSseStream sends keep-alive comments and leaves its source when it is cancelled', async () => {
    const clock = fakeClock()
    let left = 0
    const silent: AsyncIterable<AgentEvent> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<never>(() => {}),
        return: async () => {
          left++
          return { value: undefined, done: true }
        },
      }),
    }
    const reader = toSseStream(silent, { keepAliveMs: 1000, clock }).getReader()
    const first = reader.read()
    await clock.advance(1000)
    expect(new TextDecoder().decode((await first).value)).toBe(SSE_KEEP_ALIVE)
    // Comments are not queued while the reader does not read.
    await clock.advance(10_000)
    await reader.read()
    const late = reader.read().then(() => 'came')
    expect(await Promise.race([late, clock.advance(0)])).toBeUndefined()
    expect(clock.pending).toBe(1)
    await reader.cancel()
    expect(left).toBe(1)
    expect(clock.pending).toBe(0)
  })
})
