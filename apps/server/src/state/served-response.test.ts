import { createEventLog } from '@parley/agent-api'
import type { RunEvent } from '@parley/core'
import { jsonSize } from '@parley/encoders/kit'
import { expect, it } from 'vitest'
import { ServedResponse } from './served-response.ts'

interface Event {
  readonly sequence_number: number
  readonly response?: Response | undefined
}

interface Response {
  readonly text: string
}

/** A response whose run has as many events as the test sends. Event n contains the response `texts[n]`, if that is a text. */
function serve(texts: readonly (string | undefined)[], { resumed = false } = {}) {
  const gate = Promise.withResolvers<void>()
  async function* watch(): AsyncGenerator<RunEvent> {
    for (const _ of texts) yield {} as RunEvent
    await gate.promise
  }
  let number = -1
  const served = new ServedResponse<Event, Response>({
    id: 'a',
    scope: 'alice',
    runId: 'r',
    maxReplayChars: 1_000,
    resumed,
    watch,
    protocol: {
      createLog: options =>
        createEventLog<Event>({ ...options, encode: event => `${event.response?.text ?? event.sequence_number};` }),
      createEncoder: () => ({
        ended: false,
        push: () => {
          const text = texts[++number]
          return [{ sequence_number: number, response: text === undefined ? undefined : { text } }]
        },
        end: () => [],
      }),
      responseOf: ({ response }) => response,
      cutFrame: (last, { text }) => `cut after ${last} of ${text}`,
    },
  })
  return { served, end: gate.resolve }
}

async function textOf(frames: AsyncIterable<string> | undefined): Promise<string> {
  let text = ''
  for await (const frame of frames ?? []) text += frame
  return text
}

it('a served response has the response of its first event, of its newest one and of its last one', async () => {
  const { served, end } = serve(['first', undefined, 'last'])
  expect(await served.started).toEqual({ text: 'first' })
  await expect.poll(() => served.current).toEqual({ text: 'last' })
  expect(served.isEnded).toBe(false)
  end()
  expect(await served.ended).toEqual({ text: 'last' })
  expect(served.isEnded).toBe(true)
  expect(await textOf(served.read())).toBe('first;1;last;')
})

it('a reader that is cut is told of the response of the first event', async () => {
  const { served } = serve(['first', 'newest'])
  await expect.poll(() => served.current).toEqual({ text: 'newest' })
  const reading = textOf(served.read())
  served.release()
  expect(await reading).toContain('of first')
})

it('readers of a response that an earlier process began can read only the whole stream, because they know other numbers', async () => {
  const given = ['first', undefined, 'last']
  const [own, resumed] = [serve(given), serve(given, { resumed: true })]
  for (const { served, end } of [own, resumed]) {
    end()
    await served.ended
  }
  expect(await textOf(own.served.read(0))).toBe('1;last;')
  expect(resumed.served.read(0)).toBeUndefined()
  expect(await textOf(resumed.served.read())).toBe('first;1;last;')
})

it('the newest response counts for the memory of a served response', async () => {
  const { served, end } = serve(['first', 'the newest text'])
  end()
  await served.ended
  const { served: other, end: endOther } = serve(['first', 'x'])
  endOther()
  await other.ended
  const size = (text: string): number => text.length + jsonSize({ text })
  expect(served.chars - other.chars).toBeGreaterThan(size('the newest text') - size('x') - 15)
  expect(served.chars).toBeGreaterThan(jsonSize({ text: 'the newest text' }) + 'first'.length)
})
