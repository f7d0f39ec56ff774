import { expect, it } from 'vitest'
import { isEntryEvent, type EphemeralEvent, type RunEvent } from './run-event.ts'
import { entrySchema } from '../schema.ts'

const EPHEMERAL: Readonly<Record<EphemeralEvent['type'], true>> = {
  'run.queued': true,
  'model.started': true,
  'model.request': true,
  'model.retrying': true,
  'model.usage': true,
  'text.delta': true,
  'reasoning.delta': true,
  'output.delta': true,
  'tool-call.start': true,
  'tool-call.delta': true,
  'tool.progress': true,
  'context.compacting': true,
  'middleware.failed': true,
  'run.interrupted': true,
}

it.each(entrySchema.options.map(option => option.shape.type.value))('takes %s for a journal entry', type => {
  expect(isEntryEvent({ type } as RunEvent)).toBe(true)
})

it.each(Object.keys(EPHEMERAL))('takes %s for something only a live watcher sees', type => {
  expect(isEntryEvent({ type } as RunEvent)).toBe(false)
})
