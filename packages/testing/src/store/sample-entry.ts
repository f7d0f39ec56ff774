import { ENTRY_VERSION, type EntryOf, type Json, type ModelUsage } from '@parley/core'

interface SampleOptions {
  readonly seq?: number | undefined
  readonly at?: number | undefined
}

/** Options of `startedEntry`. */
export interface StartedOptions extends SampleOptions {
  readonly sessionId?: string | undefined
  readonly scope?: string | undefined
  readonly agent?: string | undefined
  /** Id of the run that this run continues. */
  readonly base?: string | undefined
}

/** Builds the first entry of a run. */
export function startedEntry({
  seq = 1,
  at = 1_000,
  sessionId = 'session',
  scope = 'scope',
  agent = 'agent',
  base,
}: StartedOptions = {}): EntryOf<'run.started'> {
  const identity = { agent, model: 'test/model', sessionId, scope }
  const from =
    base === undefined
      ? { relation: 'initial' as const }
      : { relation: 'continue' as const, base: { runId: base, seq: 1 } }
  return { v: ENTRY_VERSION, seq, at, type: 'run.started', ...identity, ...from }
}

/** Builds an entry with a user message. */
export function saidEntry(text: string, { seq = 2, at = 1_000 }: SampleOptions = {}): EntryOf<'message.appended'> {
  const message = { role: 'user' as const, content: [{ type: 'text' as const, text }] }
  return { v: ENTRY_VERSION, seq, at, type: 'message.appended', source: 'input', message }
}

/** Builds an entry with any JSON. */
export function toolEntry(input: Json, { seq = 2, at = 1_000 }: SampleOptions = {}): EntryOf<'tool.started'> {
  const call = { turn: 1, callId: 'call', name: 'tool', input, effect: 'once' as const, attempt: 1 }
  return { v: ENTRY_VERSION, seq, at, type: 'tool.started', ...call }
}

/** Builds the last entry of a cancelled run. */
export function endedEntry({
  seq = 2,
  at = 1_000,
  models,
}: SampleOptions & { readonly models?: ModelUsage[] } = {}): EntryOf<'run.ended'> {
  const usage = { input: 1, output: 1, reasoning: 0, cacheRead: 0, cacheWrite: 0 }
  const outcome = { status: 'cancelled' as const, reason: { kind: 'user' as const } }
  return { v: ENTRY_VERSION, seq, at, type: 'run.ended', outcome, usage, ...(models === undefined ? {} : { models }) }
}

/** Builds the entry of a run that is suspended for approval. With a `reason`, builds the entry of a released run. */
export function suspendedEntry({
  seq = 2,
  at = 1_000,
  reason,
}: SampleOptions & { readonly reason?: 'shutdown' } = {}): EntryOf<'run.suspended'> {
  return {
    v: ENTRY_VERSION,
    seq,
    at,
    type: 'run.suspended',
    approvals: [],
    ...(reason === undefined ? {} : { reason }),
  }
}

/** Builds the entry with which a worker resumes a run. */
export function resumedEntry({ seq = 2, at = 1_000 }: SampleOptions = {}): EntryOf<'run.resumed'> {
  return { v: ENTRY_VERSION, seq, at, type: 'run.resumed', worker: 'w' }
}
