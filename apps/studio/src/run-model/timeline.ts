import type { Entry, EntryOf, Usage } from '@parley/core'
import { applyEntry, type ByType } from './by-type.ts'

/** What a run did in a stretch of time. A `mark` has no length: a compaction, a handover, a limit, a cancellation or a failure. */
export type SpanKind = 'model' | 'tool' | 'agent' | 'wait' | 'gap' | 'mark'
/** How a stretch of time ended. */
export type SpanState = 'ok' | 'failed' | 'open'

/** A stretch of a run's time: one row of the timeline. */
export interface Span {
  readonly id: string
  readonly kind: SpanKind
  readonly label: string
  /** Milliseconds since the epoch. */
  readonly from: number
  /** Milliseconds since the epoch. Absent while it lasts. */
  readonly to?: number | undefined
  readonly state: SpanState
  /** Number of the entry that tells most about it. */
  readonly seq: number
  readonly turn?: number | undefined
  readonly usage?: Usage | undefined
  /** US dollars. */
  readonly cost?: number | undefined
  readonly childRunId?: string | undefined
  readonly note?: string | undefined
}

/** The picture of a run over time. */
export interface Timeline {
  readonly from: number
  readonly to: number
  readonly spans: readonly Span[]
  /** Cost so far after each model call, in US dollars. */
  readonly costs: readonly { readonly at: number; readonly usd: number }[]
}

interface Draft {
  readonly spans: Span[]
  readonly costs: { at: number; usd: number }[]
  /** Index of the open span of a call, of a child run, or of the wait of the run. */
  readonly open: Map<string, number>
  /** Calls whose rows show their child runs. */
  readonly replaced: Set<string>
  usd: number
  lastAt: number
}

/**
 * Draws the time of a run from its entries. A `gap` is time without a worker: the run was resumed, and no entry says that
 * it had been suspended before.
 */
export function toTimeline(entries: readonly Entry[]): Timeline {
  const from = entries[0]?.at ?? 0
  const draft: Draft = { spans: [], costs: [], open: new Map(), replaced: new Set(), usd: 0, lastAt: from }
  for (const entry of entries) {
    applyEntry(TABLE, draft, entry)
    draft.lastAt = entry.at
  }
  return { from, to: draft.lastAt, spans: draft.spans, costs: draft.costs }
}

const TABLE: ByType<Draft> = {
  'model.called': addModelCall,
  'model.failed': addModelCall,
  'tool.started': (draft, entry) => begin(draft, entry.callId, { ...tool(entry), from: entry.at, state: 'open' }),
  'tool.ended': endTool,
  'tool.requested': (draft, { call, seq, turn, at }) =>
    begin(draft, call.callId, {
      ...tool({ ...call, seq, turn }),
      note: 'waits for the client',
      from: at,
      state: 'open',
    }),
  'agent.started': beginChild,
  'agent.ended': (draft, { childRunId, outcome, at, seq, usage, cost }) => {
    end(draft, childRunId, {
      to: at,
      state: outcome.status === 'completed' ? 'ok' : 'failed',
      seq,
      usage,
      cost: cost?.usd,
    })
    addCost(draft, at, cost?.usd)
  },
  'run.suspended': (draft, entry) => begin(draft, 'wait', { ...wait(entry), from: entry.at, state: 'open' }),
  'run.resumed': addResume,
  'context.compacted': (draft, entry) => {
    mark(draft, entry, `context compacted by ${entry.policy}`)
    addCost(draft, entry.at, entry.cost?.usd)
  },
  'agent.changed': (draft, entry) => mark(draft, entry, `handed over to ${entry.to}`),
  'limit.reached': (draft, entry) => mark(draft, entry, `limit of ${entry.hit.limit} reached`),
  'cancel.requested': (draft, entry) => mark(draft, entry, 'cancelled'),
  'run.failed': (draft, entry) => mark(draft, entry, `failed: ${entry.error.code}`),
  'run.ended': (draft, entry) => closeAll(draft, entry.at),
}

/** The first child run of a call takes the place of the call: its row would say the same. */
function beginChild(draft: Draft, { callId, childRunId, agent, seq, at }: EntryOf<'agent.started'>): void {
  const index = draft.open.get(callId)
  const call = index === undefined ? undefined : draft.spans[index]
  const child = { kind: 'agent', label: agent, seq, childRunId, from: at, state: 'open' } as const
  if (index === undefined || call === undefined || call.kind === 'agent') {
    begin(draft, childRunId, { id: `agent-${childRunId}`, ...child })
    return
  }
  draft.spans[index] = { ...child, id: call.id, turn: call.turn, from: call.from }
  draft.open.delete(callId)
  draft.open.set(childRunId, index)
  draft.replaced.add(callId)
}

function mark(draft: Draft, { at, seq }: Entry, label: string): void {
  draft.spans.push({ id: `mark-${seq}`, kind: 'mark', label, from: at, to: at, state: 'ok', seq })
}

function addModelCall(draft: Draft, entry: EntryOf<'model.called' | 'model.failed'>): void {
  draft.spans.push({
    id: `model-${entry.seq}`,
    kind: 'model',
    label: entry.model,
    from: Math.max(entry.at - entry.durationMs, 0),
    to: entry.at,
    state: entry.type === 'model.called' ? 'ok' : 'failed',
    seq: entry.seq,
    turn: entry.turn,
    usage: entry.usage,
    cost: entry.cost?.usd,
    note: entry.type === 'model.failed' ? entry.error.code : undefined,
  })
  addCost(draft, entry.at, entry.cost?.usd)
}

function endTool(draft: Draft, entry: EntryOf<'tool.ended'>): void {
  const state = entry.error === undefined ? 'ok' : 'failed'
  const note = entry.error?.code
  if (draft.replaced.has(entry.callId)) return
  // A call that was refused, or whose arguments are wrong, never started.
  if (!draft.open.has(entry.callId)) begin(draft, entry.callId, { ...tool(entry), from: entry.at, state: 'open' })
  end(draft, entry.callId, { to: entry.at, state, seq: entry.seq, note })
}

function addResume(draft: Draft, entry: EntryOf<'run.resumed'>): void {
  if (draft.open.has('wait')) return end(draft, 'wait', { to: entry.at, state: 'ok' })
  draft.spans.push({
    id: `gap-${entry.seq}`,
    kind: 'gap',
    label: 'no worker',
    note: `resumed by ${entry.worker}`,
    from: draft.lastAt,
    to: entry.at,
    state: 'failed',
    seq: entry.seq,
  })
}

function tool(entry: { callId: string; name: string; turn: number; seq: number }): Omit<Span, 'from' | 'state'> {
  return { id: `call-${entry.callId}`, kind: 'tool', label: entry.name, seq: entry.seq, turn: entry.turn }
}

function wait(entry: EntryOf<'run.suspended'>): Omit<Span, 'from' | 'state'> {
  const names = [...entry.approvals, ...(entry.clientCalls ?? [])].map(request => request.name)
  const label = entry.reason === 'shutdown' ? 'released' : `waits for ${names.join(', ')}`
  return { id: `wait-${entry.seq}`, kind: 'wait', label, seq: entry.seq }
}

function begin(draft: Draft, key: string, span: Span): void {
  draft.open.set(key, draft.spans.push(span) - 1)
}

function end(draft: Draft, key: string, change: Partial<Span>): void {
  const index = draft.open.get(key)
  const span = index === undefined ? undefined : draft.spans[index]
  if (index === undefined || span === undefined) return
  draft.open.delete(key)
  draft.spans[index] = { ...span, ...change }
}

function closeAll(draft: Draft, at: number): void {
  // Closing a span takes its key out of the map, which its iterator allows.
  for (const key of draft.open.keys()) end(draft, key, { to: at, state: 'failed' })
}

function addCost(draft: Draft, at: number, usd: number | undefined): void {
  if (usd === undefined) return
  draft.usd += usd
  draft.costs.push({ at, usd: draft.usd })
}
