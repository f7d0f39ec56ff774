import {
  applyToRecord,
  searchWords,
  type Claim,
  type ClaimRequest,
  type Entry,
  type ErrorInfo,
  type InboxItem,
  type JournalAppend,
  type PruneQuery,
  type PutRequest,
  type RunQuery,
  type RunRecord,
} from '@parley/core'

interface ModelRun {
  readonly runId: string
  readonly worker: string
  readonly fence: number
  readonly entries: readonly Entry[]
  /** Every item that the run's inbox has received. */
  readonly items: readonly InboxItem[]
  readonly taken: number
}

/** State of the reference model of a store, as plain data. */
export interface StoreModel {
  readonly runs: ReadonlyMap<string, ModelRun>
  readonly aliveUntil: ReadonlyMap<string, number>
}

/** The state after a call, and the result that the store must return. */
export interface ModelStep {
  readonly model: StoreModel
  readonly answer: unknown
}

/** A call of a store. */
export type StoreCommand =
  | ({ readonly type: 'append' } & JournalAppend)
  | ({ readonly type: 'claim' } & ClaimRequest)
  | { readonly type: 'heartbeat'; readonly worker: string; readonly at: number; readonly ttlMs: number }
  | { readonly type: 'read'; readonly runId: string; readonly afterSeq: number; readonly limit?: number | undefined }
  | { readonly type: 'run'; readonly runId: string }
  | ({ readonly type: 'runs' } & RunQuery)
  | ({ readonly type: 'put' } & PutRequest)
  | { readonly type: 'read-inbox'; readonly runId: string }
  | ({ readonly type: 'prune' } & PruneQuery)

/** The reference model of an empty store. */
export const EMPTY_MODEL: StoreModel = { runs: new Map(), aliveUntil: new Map() }

/** Applies a call to the reference model. */
export function stepModel(model: StoreModel, command: StoreCommand): ModelStep {
  switch (command.type) {
    case 'append':
      return stepAppend(model, command)
    case 'claim':
      return stepClaim(model, command)
    case 'heartbeat': {
      const aliveUntil = new Map(model.aliveUntil).set(command.worker, command.at + command.ttlMs)
      return { model: { ...model, aliveUntil }, answer: undefined }
    }
    case 'read': {
      const entries = model.runs.get(command.runId)?.entries ?? []
      return { model, answer: entries.filter(({ seq }) => seq > command.afterSeq).slice(0, command.limit) }
    }
    case 'run':
      return { model, answer: recordOf(model.runs.get(command.runId)) }
    case 'runs':
      return { model, answer: listRuns(model, command) }
    case 'put':
      return stepPut(model, command)
    case 'read-inbox': {
      const run = model.runs.get(command.runId)
      return { model, answer: run?.items.slice(run.taken) ?? [] }
    }
    case 'prune':
      return stepPrune(model, command)
  }
}

function stepPut(model: StoreModel, { runId, id, at, command }: PutRequest): ModelStep {
  const run = model.runs.get(runId)
  const status = recordOf(run)?.status
  if (run === undefined || status === undefined) return refusal(model, { code: 'run-unknown', runId })
  if (run.items.some(item => item.id === id)) return { model, answer: status }
  if (status !== 'running' && status !== 'suspended') return refusal(model, { code: 'run-ended', runId })
  const items = [...run.items, { position: run.items.length + 1, id, at, command }]
  return { model: { ...model, runs: new Map(model.runs).set(runId, { ...run, items }) }, answer: status }
}

function stepAppend(model: StoreModel, append: JournalAppend): ModelStep {
  const { runId, worker, fence, expectedSeq, entries } = append
  const run = model.runs.get(runId)
  const { items = [], taken: before = 0 } = run ?? {}
  const { taken = before } = append
  const actual = run?.entries.length ?? 0
  const stranger = run !== undefined && (run.worker !== worker || run.fence !== fence)
  if (stranger && expectedSeq > 0) return refusal(model, { code: 'store-fenced', runId })
  if (expectedSeq !== actual) return refusal(model, { code: 'store-conflict', runId, expected: expectedSeq, actual })
  const ends = entries.some(({ type }) => type === 'run.ended')
  if (ends && taken < items.length) return refusal(model, { code: 'inbox-unread', runId })
  if (entries.length === 0) return { model, answer: undefined }
  const journal = [...(run?.entries ?? []), ...entries]
  return {
    model: { ...model, runs: new Map(model.runs).set(runId, { runId, worker, fence, entries: journal, items, taken }) },
    answer: undefined,
  }
}

function stepClaim(model: StoreModel, { runId, worker, at, force }: ClaimRequest): ModelStep {
  const run = model.runs.get(runId)
  if (run === undefined) return refusal(model, { code: 'run-unknown', runId })
  const until = model.aliveUntil.get(run.worker)
  const isDriven = until !== undefined && until > at && recordOf(run)?.status !== 'suspended'
  if (run.worker !== worker && force !== true && isDriven) {
    return { model, answer: { granted: false, worker: run.worker, aliveUntil: until } satisfies Claim }
  }
  const fence = run.fence + 1
  const runs = new Map(model.runs).set(runId, { ...run, worker, fence })
  return { model: { ...model, runs }, answer: { granted: true, fence } satisfies Claim }
}

function stepPrune(model: StoreModel, { scope, before, runId: only }: PruneQuery): ModelStep {
  const records = new Map(
    [...model.runs].flatMap(([id, run]) => (recordOf(run) === undefined ? [] : [[id, recordOf(run)]])),
  )
  const isMeant = (record: RunRecord): boolean => record.scope === scope && (only ?? record.runId) === record.runId
  const lasts = (record: RunRecord): boolean =>
    record.status === 'running' || record.updatedAt >= before || !isMeant(record)
  const heirs = [...records.values()].flatMap(record => (record !== undefined && lasts(record) ? [record] : []))
  const kept = new Set<string>()
  for (let run = heirs.pop(); run !== undefined; run = heirs.pop()) {
    if (kept.has(run.runId)) continue
    kept.add(run.runId)
    const parent = records.get(run.parent ?? '')
    if (parent !== undefined) heirs.push(parent)
  }
  const runs = new Map([...model.runs].filter(([id]) => kept.has(id)))
  const aliveUntil = new Map([...model.aliveUntil].filter(([, until]) => until >= before))
  return { model: { runs, aliveUntil }, answer: model.runs.size - runs.size }
}

function listRuns(model: StoreModel, query: RunQuery): readonly RunRecord[] {
  const { scope, sessionId, status, agent, relation, parent, roots = false, limit = 100 } = query
  const { since = -Infinity, until = Infinity, text = '', after } = query
  const words = [...searchWords(text)]
  const records = [...model.runs.values()].flatMap(run => recordOf(run) ?? [])
  const wanted = records.filter(
    record =>
      record.scope === scope &&
      record.sessionId === (sessionId ?? record.sessionId) &&
      record.status === (status ?? record.status) &&
      record.agent === (agent ?? record.agent) &&
      record.relation === (relation ?? record.relation) &&
      record.parent === (parent ?? record.parent) &&
      !(roots && record.relation === 'sub-agent') &&
      record.startedAt >= since &&
      record.startedAt < until &&
      words.every(word => searchWords(record.preview ?? '').has(word)) &&
      (after === undefined || isAfter(record, after)),
  )
  return wanted.sort((a, b) => b.startedAt - a.startedAt || (b.runId > a.runId ? 1 : -1)).slice(0, limit)
}

function isAfter(record: RunRecord, { startedAt, runId }: Pick<RunRecord, 'startedAt' | 'runId'>): boolean {
  return record.startedAt < startedAt || (record.startedAt === startedAt && record.runId < runId)
}

function recordOf(run: ModelRun | undefined): RunRecord | undefined {
  return run?.entries.reduce<RunRecord | undefined>(
    (record, entry) => applyToRecord(record, run.runId, entry),
    undefined,
  )
}

function refusal(model: StoreModel, info: ErrorInfo): ModelStep {
  return { model, answer: { refused: info } }
}
