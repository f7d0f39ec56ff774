import type { AssistantPart, Json, Message } from '@parley/core'
import fc from 'fast-check'

const text = fc.constantFrom('', ' ', 'Hello.', 'Two\nlines ', '\uD83D')
const own = (data: Json) => ({ providerData: { provider: 'anthropic', data } })

/** Creates an assistant message with one result for each of its calls. `index` makes the ids unique. */
function exchange(index: number): fc.Arbitrary<Message[]> {
  const part = fc.oneof(
    text.map((value): AssistantPart => ({ type: 'text', text: value })),
    text.map((value): AssistantPart => ({ type: 'reasoning', text: value, ...own({ signature: 'sig' }) })),
    text.map((value): AssistantPart => ({ type: 'reasoning', text: value })),
    fc.constant<AssistantPart>({ type: 'opaque', ...own({ block: { type: 'compaction', content: 'c' } }) }),
  )
  const call = fc.constantFrom('', '{"a":1}', '{"cut', '[1]')
  return fc.tuple(fc.array(part, { maxLength: 3 }), fc.array(call, { maxLength: 3 }), text, fc.boolean()).map(
    ([parts, calls, result, isError]) => {
      const content: AssistantPart[] = [...parts]
      calls.forEach((json, n) =>
        content.push({ type: 'tool-call', callId: `call.${index}:${n}`, name: 'f', arguments: json }),
      )
      const results = calls.map(
        (_, n): Message => ({
          role: 'tool',
          callId: `call.${index}:${n}`,
          name: 'f',
          content: [{ type: 'text', text: result }],
          isError,
        }),
      )
      return [{ role: 'assistant', content }, ...results]
    },
  )
}

const user = text.map((value): Message[] => [{ role: 'user', content: [{ type: 'text', text: value }] }])
const note = text.map((value): Message[] => [{ role: 'system', content: value }])

/** Any valid transcript: each call has one result directly after its message. */
export const transcript: fc.Arbitrary<readonly Message[]> = fc
  .array(fc.constantFrom('user', 'note', 'exchange'), { maxLength: 8 })
  .chain(kinds =>
    fc.tuple(...kinds.map((kind, index) => (kind === 'user' ? user : kind === 'note' ? note : exchange(index)))),
  )
  .map(groups => groups.flat())
