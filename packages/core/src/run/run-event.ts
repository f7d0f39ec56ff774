import type { Entry } from '../schema/entry.ts'
import { EPHEMERAL_TYPES, type EphemeralEvent } from './ephemeral-event.ts'
import type { RunFacts } from './run-facts.ts'

/** Position of an event in its run. */
export interface EventEnvelope extends Pick<RunFacts, 'runId' | 'sessionId' | 'path'> {
  /** Number of the journal entry. An ephemeral event has the number of the entry before it. */
  readonly seq: number
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** An event of a run: a journal entry, or an ephemeral event between entries. */
export type RunEvent = (Entry & EventEnvelope) | (EphemeralEvent & EventEnvelope)
/** Type name of a run event. */
export type RunEventType = RunEvent['type']
/** The run event with this type name. */
export type RunEventOf<TType extends RunEventType> = Extract<RunEvent, { type: TType }>

/** Whether an event is a journal entry. Readers that start late or resume receive only those. */
export function isEntryEvent(event: RunEvent): event is Entry & EventEnvelope {
  return !(event.type in EPHEMERAL_TYPES)
}
