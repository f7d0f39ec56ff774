import { expectTypeOf, it } from 'vitest'
import {
  isEntryEvent,
  type Entry,
  type EphemeralEvent,
  type EventEnvelope,
  type RunEvent,
  type RunEventOf,
} from '../index.ts'

it('narrows an event by its type', () => {
  expectTypeOf<RunEventOf<'text.delta'>['text']>().toEqualTypeOf<string>()
  expectTypeOf<RunEventOf<'run.ended'>['outcome']['status']>().toEqualTypeOf<
    'completed' | 'limit' | 'cancelled' | 'rejected' | 'failed'
  >()
  // @ts-expect-error -- no such event
  expectTypeOf<RunEventOf<'run.paused'>>().toBeNever()
})

it('gives every event its place', () => {
  expectTypeOf<RunEvent>().toExtend<EventEnvelope>()
})

it('splits events into journal entries and what only a watcher sees', () => {
  const event = {} as RunEvent
  if (isEntryEvent(event)) expectTypeOf(event.type).toEqualTypeOf<Entry['type']>()
  else expectTypeOf(event.type).toEqualTypeOf<EphemeralEvent['type']>()
})
