import { EventSchemas } from '@ag-ui/core/schemas'
import { isEntryEvent, ParleyError, type RunEvent } from '@parley/core'
import { uiMessageChunkSchema } from 'ai'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAgUiEncoder } from './ag-ui/index.ts'
import { createUiMessageEncoder } from './ai-sdk-ui/index.ts'
import { collectRun } from './index.ts'
import { createChatEncoder } from './openai-chat/index.ts'
import { createResponsesEncoder, type OutputItem } from './openai-responses/index.ts'
import type { RunEncoder } from './kit/run-encoder.ts'
import { eventsOf, RUNS } from './__fixtures__/run-events.ts'

interface SentEvent {
  readonly type?: string
  readonly [field: string]: unknown
}

const ENCODERS: Readonly<Record<string, () => RunEncoder<object>>> = {
  'openai-chat': () => createChatEncoder({ model: 'guide' }),
  'openai-responses': () => createResponsesEncoder({ model: 'guide' }),
  'ag-ui': () => createAgUiEncoder(),
  'ai-sdk-ui': () => createUiMessageEncoder(),
}

function encode(encoder: RunEncoder<object>, events: readonly RunEvent[]): readonly SentEvent[] {
  return [...events.flatMap(event => encoder.push(event)), ...encoder.end()] as SentEvent[]
}

const sentEvents = async (name: string, encoder: RunEncoder<object>): Promise<readonly SentEvent[]> =>
  encode(encoder, await eventsOf(name))

/** All text of a stream, whatever its protocol. */
function textOf(events: readonly SentEvent[]): string {
  return events
    .map(event => {
      const [choice] = (event['choices'] ?? []) as { delta: { content?: string } }[]
      if (choice !== undefined) return choice.delta.content ?? ''
      const isText = ['response.output_text.delta', 'TEXT_MESSAGE_CONTENT', 'text-delta'].includes(event.type ?? '')
      return isText ? (event['delta'] as string) : ''
    })
    .join('')
}

const LAST: Readonly<Record<string, (event: SentEvent | undefined) => boolean>> = {
  'openai-chat': event => 'error' in (event ?? {}) || JSON.stringify(event).includes('"finish_reason":"'),
  'openai-responses': event => /^response\.(completed|failed|incomplete)$/.test(event?.type ?? ''),
  'ag-ui': event => event?.type === 'RUN_FINISHED' || event?.type === 'RUN_ERROR',
  'ai-sdk-ui': event => event?.type === 'finish' || event?.type === 'abort',
}

/** The end of a stream whose run another process resumes. */
const RELEASED: Readonly<Record<string, RegExp>> = {
  'openai-chat': /"error":.*"code":"runtime-closed"/,
  'openai-responses': /"type":"response\.failed".*"code":"runtime-closed"/,
  'ag-ui': /"type":"RUN_ERROR","code":"runtime-closed"/,
  'ai-sdk-ui': /"type":"finish","finishReason":"error"/,
}

describe.each(Object.entries(ENCODERS))('%s', (protocol, create) => {
  it.each(Object.keys(RUNS))('the stream ends with exactly one terminal event: %s', async name => {
    const events = await sentEvents(name, create())
    const isLast = LAST[protocol] ?? (() => false)
    expect(events.filter(isLast)).toHaveLength(1)
    expect(isLast(events.at(-1))).toBe(true)
  })

  it('a stream whose events stop or break anywhere ends everything that it began', async () => {
    const events = await eventsOf('reasoning and parallel calls')
    await fc.assert(
      fc.asyncProperty(fc.nat(events.length), fc.boolean(), async (count, breaks) => {
        const source = (async function* () {
          yield* events.slice(0, count)
          if (breaks) throw new Error('gone')
        })()
        const sent = (await collectRun(source, create())) as readonly SentEvent[]
        expect(LAST[protocol]?.(sent.at(-1))).toBe(true)
        const begun = sent.filter(
          ({ type }) => /(_START|-start|item\.added)$/.test(type ?? '') && !/STEP|step/.test(type ?? ''),
        )
        const ended = sent.filter(({ type }) => /(_END|-end|item\.done|tool-input-(available|error))$/.test(type ?? ''))
        expect(ended.length).toBe(begun.length)
      }),
    )
  })

  it('a client that gets only the recorded entries gets the same text', async () => {
    const events = await eventsOf('reasoning and parallel calls')
    const whole = textOf(encode(create(), events))
    expect(textOf(encode(create(), events.filter(isEntryEvent)))).toBe(whole)
    expect(whole).toBe('Look. Done.')
  })

  it('a released run ends the stream as failed with runtime-closed', async () => {
    const events = await sentEvents('released by a process that closes', create())
    expect(textOf(events)).toBe('Half an')
    expect(JSON.stringify(events.slice(-2))).toMatch(/runtime-closed|closed/)
    expect(JSON.stringify(events.at(-1))).toMatch(RELEASED[protocol] ?? /never/)
  })

  it('a failure is described without the words of other programs', async () => {
    const detail = 'sk-secret at /home/owner'
    const source = (async function* () {
      yield* (await eventsOf('reasoning and parallel calls')).slice(0, 1)
      throw new ParleyError({ code: 'store-unavailable', store: 'sqlite', detail })
    })()
    const sent = JSON.stringify(await collectRun(source, create()))
    expect(sent).toContain('The store of the agent cannot be used.')
    expect(sent).not.toContain('secret')
  })

  it('output that a tool call delivered is sent as text', async () => {
    expect(textOf(await sentEvents('structured output by a tool', create()))).toBe('{"ok":1}')
  })
})

describe('schemas of the protocols', () => {
  it.each(Object.keys(RUNS))('the AG-UI schemas accept every event: %s', async name => {
    for (const event of await sentEvents(name, createAgUiEncoder())) EventSchemas.parse(event)
  })

  it.each(Object.keys(RUNS))('the AI SDK schema accepts every chunk: %s', async name => {
    const { validate } = uiMessageChunkSchema()
    for (const chunk of await sentEvents(name, createUiMessageEncoder()))
      expect(await validate?.(chunk)).toMatchObject({ success: true })
  })
})

describe('a response', () => {
  it.each(Object.keys(RUNS))(
    'the responses encoder numbers its events, and its response holds the items it sent: %s',
    async name => {
      const events = await sentEvents(name, createResponsesEncoder({ model: 'guide' }))
      expect(events.map(event => event['sequence_number'])).toEqual(events.map((_, index) => index))
      const done: OutputItem[] = []
      for (const event of events)
        if (event.type === 'response.output_item.done')
          done[event['output_index'] as number] = event['item'] as OutputItem
      expect(events.at(-1)).toMatchObject({ response: { output: done } })
    },
  )
})
