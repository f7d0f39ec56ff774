import { expect, it } from 'vitest'
import { toLatestDraft } from './to-latest-draft.ts'

it('toLatestDraft rewrites the forms of older drafts wherever a schema stands', () => {
  const schema = {
    type: 'object',
    required: null,
    properties: {
      pair: { type: 'array', items: [{ type: 'number', minimum: 0, exclusiveMinimum: true }], additionalItems: false },
      items: { const: null, required: true },
    },
    enum: [{ items: [1] }],
  }
  expect(toLatestDraft(schema)).toEqual({
    type: 'object',
    properties: {
      pair: { type: 'array', prefixItems: [{ type: 'number', exclusiveMinimum: 0 }], items: false },
      items: { const: null },
    },
    enum: [{ items: [1] }],
  })
})

it('toLatestDraft returns a schema of the latest draft as the same object', () => {
  const schema = { type: 'object', properties: { a: { type: 'array', items: { type: 'string' }, default: null } } }
  expect(toLatestDraft(schema)).toBe(schema)
})
