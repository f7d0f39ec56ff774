import type { ModelEvent } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { checkModelEvents } from './check-model-events.ts'

describe('checkModelEvents', () => {
  it('checkModelEvents collects the text and the calls of an answer without faults', () => {
    const events: ModelEvent[] = [
      { type: 'text.delta', text: 'I ' },
      { type: 'text.delta', text: 'look.' },
      { type: 'text.end' },
      { type: 'reasoning.end', providerData: { provider: 'p', data: 'signature' } },
      { type: 'tool-call.start', callId: 'a', name: 'find' },
      { type: 'tool-call.delta', callId: 'a', delta: '{}' },
      { type: 'tool-call', callId: 'a', name: 'find', arguments: '{}' },
      { type: 'finish', reason: 'tool-calls' },
    ]
    expect(checkModelEvents(events)).toEqual({
      text: 'I look.',
      calls: [{ callId: 'a', name: 'find', arguments: '{}' }],
      faults: [],
    })
  })

  it.for<[fault: string, events: ModelEvent[]]>([
    ['an event follows the finish', [{ type: 'finish', reason: 'stop' }, { type: 'text.end' }]],
    ['text.end closes no open part', [{ type: 'reasoning.delta', text: 'x' }, { type: 'text.end' }]],
    ["tool-call.delta of 'a' has no tool-call.start", [{ type: 'tool-call.delta', callId: 'a', delta: '{' }]],
    ["call 'a' starts and never ends", [{ type: 'tool-call.start', callId: 'a', name: 'find' }]],
    [
      "call 'a' changes its name",
      [
        { type: 'tool-call.start', callId: 'a', name: 'find' },
        { type: 'tool-call', callId: 'a', name: 'seek', arguments: '{}' },
      ],
    ],
    [
      "the deltas of call 'a' are not its arguments",
      [
        { type: 'tool-call.start', callId: 'a', name: 'find' },
        { type: 'tool-call.delta', callId: 'a', delta: '{"x' },
        { type: 'tool-call', callId: 'a', name: 'find', arguments: '{}' },
      ],
    ],
  ])('checkModelEvents reports that %s', ([fault, events]) => {
    expect(checkModelEvents(events).faults).toContain(fault)
  })
})
