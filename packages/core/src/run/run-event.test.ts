import { expect, it } from 'vitest'
import { entrySchema } from '../schema/entry-schema.ts'
import { EPHEMERAL_TYPES } from './ephemeral-event.ts'
import { isEntryEvent, type RunEvent } from './run-event.ts'

it.each(entrySchema.options.map(option => option.shape.type.value))(
  'isEntryEvent accepts %s as a journal entry',
  type => {
    expect(isEntryEvent({ type } as RunEvent)).toBe(true)
  },
)

it.each(Object.keys(EPHEMERAL_TYPES))('isEntryEvent rejects the ephemeral event %s', type => {
  expect(isEntryEvent({ type } as RunEvent)).toBe(false)
})
