import { expect, it } from 'vitest'
import { fromStopReason } from './from-stop-reason.ts'

it.each([
  ['end_turn', false, 'stop'],
  ['end_turn', true, 'tool-calls'],
  ['stop_sequence', false, 'stop'],
  ['tool_use', true, 'tool-calls'],
  ['tool_use', false, 'stop'],
  ['max_tokens', true, 'length'],
  ['model_context_window_exceeded', false, 'length'],
  ['pause_turn', false, 'pause'],
  ['compaction', false, 'pause'],
  ['refusal', false, 'refusal'],
  ['refusal', true, 'refusal'],
  ['something_new', false, 'other'],
  ['', false, 'other'],
] as const)('fromStopReason converts %s (with calls: %s) to %s', (reason, hasCalls, expected) => {
  expect(fromStopReason({ reason, hasCalls })).toBe(expected)
})
