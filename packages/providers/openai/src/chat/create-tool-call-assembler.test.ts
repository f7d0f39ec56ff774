import type { ModelEvent } from '@parley/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createToolCallAssembler } from './create-tool-call-assembler.ts'
import type { ToolCallFragment } from './from-chat-chunk.ts'

const NOTHING: ToolCallFragment = { index: undefined, id: '', name: '', arguments: '', extra: undefined }

function assemble(
  fragments: readonly Partial<ToolCallFragment>[],
  { used = [], cut = false }: { readonly used?: readonly string[]; readonly cut?: boolean } = {},
): ModelEvent[] {
  const events: ModelEvent[] = []
  let made = 0
  const assembler = createToolCallAssembler({
    provider: 'acme',
    emit: event => events.push(event),
    isUsed: id => used.includes(id),
    createCallId: () => `made-${++made}`,
  })
  for (const fragment of fragments) assembler.accept({ ...NOTHING, ...fragment })
  assembler.finish({ cut })
  return events
}

const calls = (...given: Parameters<typeof assemble>): unknown[] =>
  assemble(...given).flatMap(event => (event.type === 'tool-call' ? [[event.callId, event.name, event.arguments]] : []))

describe('createToolCallAssembler', () => {
  it('the tool call assembler joins fragments by index, for any first index', () => {
    const fragments = [
      { index: 1, id: 'a', name: 'f', arguments: '' },
      { index: 2, id: 'b', name: 'g', arguments: '{"x"' },
      { index: 1, arguments: '{}' },
      { index: 2, arguments: ':1}' },
    ]
    expect(calls(fragments)).toEqual([
      ['a', 'f', '{}'],
      ['b', 'g', '{"x":1}'],
    ])
  })

  it('the tool call assembler emits calls in the order of their indexes', () => {
    const fragments = [
      { index: 1, id: 'b', name: 'g', arguments: '{}' },
      { index: 0, id: 'a', name: 'f', arguments: '{}' },
    ]
    expect(calls(fragments)).toEqual([
      ['a', 'f', '{}'],
      ['b', 'g', '{}'],
    ])
  })

  it('the tool call assembler never changes a name or id', () => {
    const fragments = [
      { index: 0, id: 'a', name: 'f', arguments: '{"x"' },
      { index: 0, id: '', name: '', arguments: ':' },
      { index: 0, id: 'a', name: 'f', arguments: '1}' },
    ]
    expect(calls(fragments)).toEqual([['a', 'f', '{"x":1}']])
  })

  it('the tool call assembler keeps the first id if a server changes it between fragments', () => {
    const fragments = [
      { index: 0, id: 'a', name: 'f', arguments: '{"x"' },
      { index: 0, id: 'z', name: '', arguments: ':1}' },
    ]
    expect(calls(fragments)).toEqual([['a', 'f', '{"x":1}']])
  })

  it('the tool call assembler joins fragments without an index by id, then by order', () => {
    expect(
      calls([
        { id: 'a', name: 'f', arguments: '{"x"' },
        { arguments: ':1}' },
        { id: 'b', name: 'f', arguments: '{"y"' },
        { id: 'a', arguments: ' ' },
        { id: 'b', arguments: ':2}' },
      ]),
    ).toEqual([
      ['a', 'f', '{"x":1} '],
      ['b', 'f', '{"y":2}'],
    ])
  })

  it('the tool call assembler separates complete calls that share an index or have neither index nor id', () => {
    const same = [
      { index: 0, id: 'a', name: 'f', arguments: '{"x":1}' },
      { index: 0, id: 'b', name: 'f', arguments: '{"x":2}' },
    ]
    expect(calls(same)).toEqual([
      ['a', 'f', '{"x":1}'],
      ['b', 'f', '{"x":2}'],
    ])
    const bare = [
      { name: 'f', arguments: '{"x":1}' },
      { name: 'f', arguments: '{"x":2}' },
    ]
    expect(calls(bare)).toEqual([
      ['made-1', 'f', '{"x":1}'],
      ['made-2', 'f', '{"x":2}'],
    ])
  })

  it('the tool call assembler creates an id if it is missing or taken, and keeps the original one', () => {
    expect(calls([{ index: 0, name: 'f', arguments: '{}' }])).toEqual([['made-1', 'f', '{}']])
    const events = assemble([{ index: 0, id: 'f:0', name: 'f', arguments: '{}' }], { used: ['f:0'] })
    expect(events.at(-1)).toMatchObject({
      callId: 'made-1',
      providerData: { provider: 'acme', data: { id: 'f:0' } },
    })
    const twice = [
      { index: 0, id: '0', name: 'f', arguments: '{}' },
      { index: 1, id: '0', name: 'g', arguments: '{}' },
    ]
    expect(calls(twice)).toEqual([
      ['0', 'f', '{}'],
      ['made-1', 'g', '{}'],
    ])
  })

  it('the tool call assembler treats missing arguments as an empty object unless the answer was truncated', () => {
    expect(calls([{ index: 0, id: 'a', name: 'f' }])).toEqual([['a', 'f', '{}']])
    expect(calls([{ index: 0, id: 'a', name: 'f' }], { cut: true })).toEqual([['a', 'f', '']])
  })

  it('the tool call assembler drops an empty slot', () => {
    expect(calls([{ index: 0, id: 'a' }])).toEqual([])
  })

  it('the tool call assembler keeps the data that a server requires back with a call', () => {
    const extra = { google: { thought_signature: 's' } }
    expect(assemble([{ index: 0, id: 'a', name: 'f', arguments: '{}', extra }]).at(-1)).toMatchObject({
      providerData: { provider: 'acme', data: { extra_content: extra } },
    })
  })

  it('the tool call assembler announces each call once, and its deltas add up to its arguments for any fragments', () => {
    const call = fc.record({ id: fc.uuid(), name: fc.constantFrom('f', 'g'), value: fc.json() })
    const uncut = fc.uniqueArray(call, { selector: each => each.id, minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(uncut, fc.integer({ min: 1, max: 7 }), fc.boolean(), (expected, size, indexed) => {
        const fragments = expected.flatMap(({ id, name, value }, at) => {
          const index = indexed ? at : undefined
          const pieces = value.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
          return [{ index, id, name }, ...pieces.map(piece => ({ index, id: indexed ? '' : id, arguments: piece }))]
        })
        const events = assemble(fragments)
        const ended = events.filter(event => event.type === 'tool-call')
        expect(ended.map(event => [event.callId, event.name, event.arguments])).toEqual(
          expected.map(({ id, name, value }) => [id, name, value]),
        )
        for (const { callId, name, arguments: text } of ended) {
          const own = events.filter(event => 'callId' in event && event.callId === callId)
          expect(own[0]).toEqual({ type: 'tool-call.start', callId, name })
          expect(own.map(event => (event.type === 'tool-call.delta' ? event.delta : '')).join('')).toBe(text)
        }
      }),
    )
  })

  it('the tool call assembler joins the extra content of all fragments of a call', () => {
    const events = assemble([
      { index: 0, id: 'a', name: 'f', arguments: '{}', extra: { google: {} } },
      { index: 0, extra: { google: { thought_signature: 's' } } },
    ])
    const data = { extra_content: { google: { thought_signature: 's' } } }
    expect(events.at(-1)).toMatchObject({ type: 'tool-call', providerData: { provider: 'acme', data } })
  })
})
