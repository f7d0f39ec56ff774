import {
  messageText,
  toolAnswer,
  toolCallsOf,
  toolError,
  toolHandoff,
  toolOk,
  type Entry,
  type EntryOf,
  type ErrorInfo,
  type Json,
  type ToolEffect,
  type ToolMessage,
  type ToolOutcome,
} from '@parley/core'
import type { HistoryRun } from './load-run-history.ts'

/** What a tool returned in a recorded run. */
export interface RecordedResult {
  readonly runId: string
  readonly callId: string
  readonly name: string
  /** The input that the handler received, with the defaults of the tool's schema. */
  readonly input: Json
  /** The arguments as the model wrote them. `undefined` if they are not JSON. */
  readonly given: Json | undefined
  /** Effect of the tool. `undefined` if no handler of the runtime was started, for example because the client executed the call. */
  readonly effect: ToolEffect | undefined
  readonly message: ToolMessage
  /** Why the call failed. Absent on success. */
  readonly error?: ErrorInfo | undefined
  readonly durationMs: number
  /** The child runs that the call started. */
  readonly childRuns: readonly string[]
  /** The result in the form in which a handler returns it. */
  readonly outcome: ToolOutcome
}

/** Errors with which the engine ends a call. They say nothing about what the tool would have returned. */
const NOT_OF_THE_TOOL: ReadonlySet<string> = new Set([
  'tool-unknown',
  'tool-arguments-unparsable',
  'tool-input-invalid',
  'tool-denied',
  'tool-cancelled',
  'tool-interrupted',
  'tool-skipped',
])

/** Returns what the tools of a run returned, in the order in which the model made the calls. */
export function recordedResultsOf({ runId, entries }: HistoryRun): readonly RecordedResult[] {
  const facts = collectFacts(entries)
  return entries.flatMap(entry => {
    if (entry.type !== 'message.appended' || entry.message.role !== 'assistant') return []
    return toolCallsOf(entry.message).flatMap(call => {
      const fact = facts.get(call.callId)
      return fact === undefined ? [] : toResult({ runId, fact, given: parse(call.arguments) })
    })
  })
}

/** What the journal says about one call. */
interface CallFact {
  started?: EntryOf<'tool.started'>
  requested?: EntryOf<'tool.requested'>
  ended?: EntryOf<'tool.ended'>
  /** The entry after `ended`. */
  next?: Entry | undefined
  readonly childRuns: string[]
}

function collectFacts(entries: readonly Entry[]): ReadonlyMap<string, CallFact> {
  const facts = new Map<string, CallFact>()
  const factOf = (callId: string): CallFact => {
    const fact = facts.get(callId) ?? { childRuns: [] }
    facts.set(callId, fact)
    return fact
  }
  for (const [index, entry] of entries.entries()) {
    if (entry.type === 'tool.started') factOf(entry.callId).started = entry
    if (entry.type === 'tool.requested') factOf(entry.call.callId).requested = entry
    if (entry.type === 'agent.started') factOf(entry.callId).childRuns.push(entry.childRunId)
    if (entry.type === 'tool.ended') Object.assign(factOf(entry.callId), { ended: entry, next: entries[index + 1] })
  }
  return facts
}

interface FactOfCall {
  readonly runId: string
  readonly fact: CallFact
  readonly given: Json | undefined
}

function toResult({ runId, fact, given }: FactOfCall): readonly RecordedResult[] {
  const { started, requested, ended, next, childRuns } = fact
  const input = started?.input ?? requested?.call.input ?? given
  if (ended === undefined || input === undefined) return []
  const { callId, name, message, error, durationMs } = ended
  if (error !== undefined && NOT_OF_THE_TOOL.has(error.code)) return []
  const outcome = toOutcome(ended, next)
  const failure = error === undefined ? {} : { error }
  return [
    { runId, callId, name, input, given, effect: started?.effect, message, ...failure, durationMs, childRuns, outcome },
  ]
}

function toOutcome({ message, error, handoff }: EntryOf<'tool.ended'>, next: Entry | undefined): ToolOutcome {
  if (handoff !== undefined) {
    const { to, task, carryContext } = handoff
    return toolHandoff(to, { task, carryContext })
  }
  // The engine appends both entries of a call that ends the run with an output together.
  if (next?.type === 'output.accepted') return toolAnswer(next.value, messageText(message))
  if (message.isError !== true) return toolOk(message.content, message.structured)
  const own = error?.code === 'tool-failed' ? error : undefined
  return toolError(message.content, { error, retryable: own?.retryable, metadata: own?.metadata })
}

function parse(text: string): Json | undefined {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
