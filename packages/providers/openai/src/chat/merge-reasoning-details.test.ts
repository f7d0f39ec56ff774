import { expect, it } from 'vitest'
import { mergeReasoningDetails } from './merge-reasoning-details.ts'

it('mergeReasoningDetails joins the pieces of one reasoning text and keeps others separate', () => {
  const text = { type: 'reasoning.text', format: 'f', index: 0 }
  expect(
    mergeReasoningDetails([
      { ...text, text: 'a' },
      { ...text, text: 'b', signature: null },
      { ...text, signature: 's' },
      { ...text, text: 'c' },
      { type: 'reasoning.encrypted', data: 'd', index: 1 },
      { type: 'reasoning.encrypted', data: 'e', index: 1 },
      null,
    ]),
  ).toEqual([
    { ...text, text: 'ab', signature: 's' },
    { ...text, text: 'c' },
    { type: 'reasoning.encrypted', data: 'd', index: 1 },
    { type: 'reasoning.encrypted', data: 'e', index: 1 },
  ])
})
