import { describe, expect, it } from 'vitest'
import { ResponseBuilder, type AgentEvent, type JsonObject } from '../index.ts'
import { checkAgentEvents, createStreamChecker, type ViolationCode } from './index.ts'

type Loose = JsonObject & { content?: Loose[]; output?: Loose[]; data?: JsonObject }

/** A valid stream: reasoning, a call with its output, a text and an image. */
function stream(): Loose[] {
  const response = new ResponseBuilder({ sessionId: 's', now: () => 1_750_000_000_000 })
  const call = { call_id: 'c', name: 'f', arguments: '{}' }
  const events = [
    ...response.createMessageBuilder({ messageType: 'reasoning' }).addContent('text', { text: 'hm' }),
    ...response.createMessageBuilder({ messageType: 'plugin_call' }).addContent('data', { data: call }),
    ...response.heartbeat(),
  ]
  const output = { call_id: 'c', name: 'f', output: '1' }
  events.push(
    ...response.createMessageBuilder({ messageType: 'plugin_call_output' }).addContent('data', { data: output }),
  )
  const answer = response.createMessageBuilder()
  const text = answer.createContentBuilder('text')
  events.push(
    ...text.addTextDelta('Hel'),
    ...text.addTextDelta('lo'),
    ...answer.addContent('image', { image_url: 'u' }),
  )
  events.push(...response.completed())
  return JSON.parse(JSON.stringify(events)) as Loose[]
}

const at = (events: Loose[], test: (event: Loose) => boolean): number => events.findIndex(test)
const textDelta = (event: Loose): boolean => event['delta'] === true
const textEnd = (event: Loose): boolean => event['text'] === 'Hello' && event['object'] === 'content'
const messageEnd = (event: Loose): boolean =>
  event['object'] === 'message' && event['status'] === 'completed' && event['type'] !== 'heartbeat'
const last = (events: Loose[]): Loose => events.at(-1)!

/** Changes the first event that matches `test`. */
const set = (test: (event: Loose) => boolean, fields: JsonObject) => (events: Loose[]) =>
  void Object.assign(events[at(events, test)]!, fields)
const drop = (test: (event: Loose) => boolean) => (events: Loose[]) => void events.splice(at(events, test), 1)
const end = (fields: JsonObject) => (events: Loose[]) => void Object.assign(last(events), fields)

function codesOf(change: (events: Loose[]) => void, renumber = true): string[] {
  const events = stream()
  change(events)
  if (renumber) for (const [index, event] of events.entries()) event['sequence_number'] = index
  return [...new Set(checkAgentEvents(events as unknown as AgentEvent[]).map(({ code }) => code))]
}

describe('a stream checker', () => {
  it('the stream checker finds no violation in a valid stream', () => {
    expect(codesOf(() => {})).toEqual([])
  })

  it.each<[string, ViolationCode, (events: Loose[]) => void]>([
    ['an unknown object', 'event-shape', set(textDelta, { object: 'progress' })],
    ['a bare error', 'event-shape', events => void events.splice(3, 0, { error: 'x' })],
    ['an unknown status', 'event-shape', set(textDelta, { status: 'streaming' })],
    ['an unknown role', 'event-shape', set(messageEnd, { role: 'developer' })],
    ['output before the end', 'event-shape', events => void (events[1]!.output = last(events).output!)],
    ['a first event that is not the response', 'opening', drop(event => event['status'] === 'created')],
    ['a message before the response is in progress', 'opening', events => void events.splice(1, 1)],
    ['another response id', 'identity', end({ id: 'other' })],
    ['another session', 'identity', end({ session_id: 'other' })],
    ['another creation time', 'identity', end({ created_at: 1 })],
    ['another message type', 'identity', set(messageEnd, { type: 'message' })],
    ['another type of part', 'identity', set(textEnd, { type: 'refusal', refusal: 'Hello' })],
    ['a response that goes back', 'transition', events => void events.splice(2, 0, { ...events[0]! })],
    [
      'a message that ends twice',
      'transition',
      events => {
        const index = at(events, messageEnd)
        events.splice(index, 0, { ...events[index]! })
      },
    ],
    ['no end', 'terminal', events => void events.pop()],
    ['two ends', 'terminal', events => void events.push({ ...last(events) })],
    ['a message after the end', 'terminal', events => void events.push({ ...events[at(events, messageEnd)]! })],
    ['an end before the beginning', 'response-end', end({ completed_at: 1 })],
    ['a failure without an error', 'event-shape', end({ status: 'failed', error: null })],
    ['an output without a message', 'output', events => void last(events).output!.shift()],
    ['an output with a message that was not sent', 'output', events => void (last(events).output![0]!['id'] = 'ghost')],
    ['an output with another text', 'output', events => void (last(events).output![0]!.content![0]!['text'] = 'x')],
    ['an output in another order', 'output', events => void (last(events).output = last(events).output!.toReversed())],
    [
      'an output with a heartbeat',
      'output',
      events => void last(events).output!.push(events.find(event => event['type'] === 'heartbeat')!),
    ],
    [
      'a failure without the messages that were sent',
      'output',
      end({ status: 'failed', error: { code: 'x', message: 'y' }, output: [] }),
    ],
    ['a message that never ends', 'left-open', drop(event => messageEnd(event) && event['type'] === 'message')],
    ['a part that never ends', 'left-open', drop(textEnd)],
    [
      'a message with another text',
      'message',
      events => {
        const message = events.find(event => messageEnd(event) && event['type'] === 'message')!
        message.content![0]!['text'] = 'x'
      },
    ],
    ['a message without its content', 'message', set(messageEnd, { content: null })],
    [
      'an announcement with content',
      'message',
      events => {
        const message = events.find(event => event['object'] === 'message')!
        message.content = events[at(events, messageEnd)]!.content!
      },
    ],
    [
      'a result by the assistant',
      'message',
      events => {
        for (const event of events) if (event['type'] === 'plugin_call_output') event['role'] = 'assistant'
      },
    ],
    ['content for an unknown message', 'content-address', set(textDelta, { msg_id: 'ghost' })],
    [
      'content after its message',
      'content-address',
      events => {
        const [message] = events.splice(at(events, messageEnd), 1)
        events.splice(
          at(events, event => event['text'] === 'hm'),
          0,
          message!,
        )
      },
    ],
    [
      'a part at a wrong place',
      'content-address',
      events => {
        for (const event of events) if (event['image_url'] !== undefined) event['index'] = 5
      },
    ],
    [
      'a part that ends twice',
      'content-address',
      events => {
        const index = at(events, textEnd)
        events.splice(index, 0, { ...events[index]! })
      },
    ],
    ['a lost delta', 'content-value', drop(textDelta)],
    [
      'a doubled delta',
      'content-value',
      events => {
        const index = at(events, textDelta)
        events.splice(index, 0, { ...events[index]! })
      },
    ],
    ['a delta without a value', 'content-value', set(textDelta, { text: null })],
    [
      'an output without a call',
      'payload',
      events => {
        for (const event of events) {
          if (event['type'] === 'plugin_call_output')
            for (const part of event.content ?? []) part.data!['call_id'] = 'd'
          if (event.data !== undefined && 'output' in event.data) event.data['call_id'] = 'd'
        }
      },
    ],
    [
      'arguments that are not a string',
      'payload',
      events => {
        for (const event of events)
          if (event.data !== undefined && 'arguments' in event.data) event.data['arguments'] = {}
      },
    ],
  ])('the stream checker finds %s', (_, code, change) => {
    expect(codesOf(change)).toContain(code)
  })

  it.each<[string, (events: Loose[]) => void]>([
    ['a gap', events => void events.splice(4, 1)],
    ['a number twice', events => void (events[4]!['sequence_number'] = 3)],
    ['no number', events => void (events[4]!['sequence_number'] = null)],
    ['a nested number of another event', events => void (last(events).output![0]!['sequence_number'] = 1)],
  ])('the stream checker finds %s in the numbering', (_, change) => {
    expect(codesOf(change, false)).toContain('numbering')
  })

  it('the stream checker accepts events without numbers if numbered is false', () => {
    const events = stream().map(event => ({ ...event, sequence_number: null }))
    expect(checkAgentEvents(events as unknown as AgentEvent[], { numbered: false })).toEqual([])
  })

  it('a violation tells where and what', () => {
    const checker = createStreamChecker()
    checker.event({ object: 'message', id: 'm', status: 'in_progress', sequence_number: 3 })
    checker.fault({ code: 'carriage-return', line: 7, detail: 'lines must end with LF alone' })
    expect(checker.violations).toContainEqual({ code: 'numbering', at: 0, detail: 'event 0 has number 3' })
    expect(checker.violations).toContainEqual({
      code: 'wire',
      at: 7,
      detail: 'carriage-return: lines must end with LF alone',
    })
  })
})
