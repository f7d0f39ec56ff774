import { expectTypeOf, it } from 'vitest'
import {
  isEntryEvent,
  type Entry,
  type EphemeralEvent,
  type EventEnvelope,
  type RunEvent,
  type RunEventOf,
} from '../index.ts'

it('the type of a run event narrows the event', () => {
  expectTypeOf<RunEventOf<'text.delta'>['text']>().toEqualTypeOf<string>()
  expectTypeOf<RunEventOf<'run.ended'>['outcome']['status']>().toEqualTypeOf<
    'completed' | 'limit' | 'cancelled' | 'rejected' | 'failed'
  >()
  // @ts-expect-error -- no such event
  expectTypeOf<RunEventOf<'run.paused'>>().toBeNever()
})

it('every run event has its position', () => {
  expectTypeOf<RunEvent>().toExtend<EventEnvelope>()
})

it('isEntryEvent splits run events into entries and ephemeral events', () => {
  const event = {} as RunEvent
  if (isEntryEvent(event)) expectTypeOf(event.type).toEqualTypeOf<Entry['type']>()
  else expectTypeOf(event.type).toEqualTypeOf<EphemeralEvent['type']>()
})
