import type { Entry } from '../schema/entry.ts'
import type { ErrorInfo } from '../schema/error-info.ts'
import type { Json } from '../schema/json.ts'
import type { Usage } from '../schema/usage.ts'
import type { ViewPart } from '../schema/view-part.ts'
import type { ModelFallback, ModelRequest } from '../model/model.ts'
import type { RunFacts } from './run-facts.ts'

/** Where in which run an event happened. */
export interface EventEnvelope extends Pick<RunFacts, 'runId' | 'sessionId' | 'path'> {
  /** Of an entry: its journal number. Of an ephemeral event: the number of the entry before it. */
  readonly seq: number
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** What only a live watcher sees; a replay does not repeat it. */
export type EphemeralEvent =
  /** The run waits for its place: a quota of concurrent runs is used up. `ahead` runs wait before it. */
  | { readonly type: 'run.queued'; readonly ahead: number }
  | { readonly type: 'model.started'; readonly turn: number; readonly model: string }
  /**
   * What is about to be sent, as the last middleware left it: once for every model call of the run, however often its
   * provider tries, and only of runs whose requests are captured. An answer that needs no call has none.
   */
  | {
      readonly type: 'model.request'
      readonly turn: number
      readonly model: string
      readonly request: ModelRequest
      /** Where its messages come from: positions of the run's log, or written by a context policy or a middleware. */
      readonly view: readonly ViewPart[]
    }
  | {
      readonly type: 'model.retrying'
      readonly turn: number
      readonly attempt: number
      readonly delayMs: number
      readonly error: ErrorInfo
      /** Set when another model is asked in place of the one that failed. */
      readonly fallback?: ModelFallback | undefined
    }
  /**
   * Tokens of the turn's model call so far, at most once a second while the answer is written; only of providers that count
   * before its end. Each takes the place of the one before; `model.called` or `model.failed` has the last word.
   */
  | { readonly type: 'model.usage'; readonly turn: number; readonly usage: Usage }
  | { readonly type: 'text.delta'; readonly turn: number; readonly text: string }
  | { readonly type: 'reasoning.delta'; readonly turn: number; readonly text: string }
  /** The agent's structured output as far as it is written; not validated yet. */
  | { readonly type: 'output.delta'; readonly turn: number; readonly partial: Json }
  /** The model begins to write a call. */
  | { readonly type: 'tool-call.start'; readonly turn: number; readonly callId: string; readonly name: string }
  /** A piece of its arguments. */
  | { readonly type: 'tool-call.delta'; readonly turn: number; readonly callId: string; readonly delta: string }
  | {
      readonly type: 'tool.progress'
      readonly turn: number
      readonly callId: string
      readonly name: string
      readonly update: Json
    }
  /** The context policy is at work; `context.compacted` follows if there is anything to gain. */
  | {
      readonly type: 'context.compacting'
      readonly turn: number
      readonly policy: string
      readonly trigger: 'due' | 'overflow' | 'manual'
      /** Messages that would be sent now. */
      readonly messages: number
    }
  | { readonly type: 'middleware.failed'; readonly middleware: string; readonly detail: string }
  /** The last event when this process had to let the run go unfinished: its store failed or another worker took over. */
  | { readonly type: 'run.interrupted'; readonly error: ErrorInfo }

/** What a watcher of a run sees: every journal entry, and the ephemeral events between them. */
export type RunEvent = (Entry & EventEnvelope) | (EphemeralEvent & EventEnvelope)
export type RunEventType = RunEvent['type']
export type RunEventOf<TType extends RunEventType> = Extract<RunEvent, { type: TType }>

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

/** Whether the event is a journal entry, which a late or resumed reader gets too. */
export function isEntryEvent(event: RunEvent): event is Entry & EventEnvelope {
  return !(event.type in EPHEMERAL)
}
