import type { ClaimRequest, Entry, PruneQuery, PutRequest, RunQuery } from '@parley/core'
import * as fc from 'fast-check'
import { endedEntry, saidEntry, startedEntry } from './sample-entry.ts'
import type { StoreCommand, StoreModel } from './store-model.ts'

/** A random command. The numbers of an append are relative to the journal at that time, so that most appends are valid. */
export type DrawnCommand = DrawnAppend | Exclude<StoreCommand, { type: 'append' }>

interface DrawnAppend {
  readonly type: 'append'
  readonly runId: string
  readonly worker: string
  readonly seqOffset: number
  readonly fenceOffset: number
  /** Number of inbox items to take, if the inbox has that many. */
  readonly takes: number
  readonly content: DrawnContent
}

interface DrawnContent {
  readonly scope: string
  readonly sessionId: string
  readonly base: string | undefined
  readonly at: number
  readonly texts: readonly string[]
  readonly ends: boolean
}

const runId = fc.constantFrom('r1', 'r2', 'r3')
const worker = fc.constantFrom('w1', 'w2')
const scope = fc.constantFrom('north', 'south')
const sessionId = fc.constantFrom('s1', 's2')
const at = fc.integer({ min: 0, max: 20 })
const usuallyZero = fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.integer({ min: -2, max: 2 }))
const base = fc.option(runId, { nil: undefined })
const content = fc.record({
  scope,
  sessionId,
  base,
  at,
  texts: fc.array(fc.string(), { maxLength: 3 }),
  ends: fc.boolean(),
})

const append: fc.Arbitrary<DrawnAppend> = fc.record({
  type: fc.constant('append'),
  runId,
  worker,
  seqOffset: usuallyZero,
  fenceOffset: usuallyZero,
  takes: fc.nat({ max: 2 }),
  content,
})

const claim: fc.Arbitrary<{ readonly type: 'claim' } & ClaimRequest> = fc.record({
  type: fc.constant('claim'),
  runId,
  worker,
  at,
  force: fc.boolean(),
})

const query: fc.Arbitrary<{ readonly type: 'runs' } & RunQuery> = fc.record(
  {
    type: fc.constant('runs'),
    scope,
    sessionId,
    status: fc.constantFrom('running', 'cancelled', 'completed'),
    relation: fc.constantFrom('initial', 'continue', 'branch'),
    parent: runId,
    limit: fc.integer({ min: 1, max: 3 }),
  },
  { requiredKeys: ['type', 'scope'] },
)

const put: fc.Arbitrary<{ readonly type: 'put' } & PutRequest> = fc.record({
  type: fc.constant('put'),
  runId,
  id: fc.constantFrom('i1', 'i2', 'i3', 'i4'),
  at,
  command: fc.record({
    type: fc.constant('cancel'),
    reason: fc.record({ kind: fc.constant('user'), detail: fc.string() }),
  }),
})

const prune: fc.Arbitrary<{ readonly type: 'prune' } & PruneQuery> = fc.record({
  type: fc.constant('prune'),
  scope,
  before: at,
  runId: fc.option(runId, { nil: undefined }),
})

/** Generates a random call of a store. Most appends are valid; some are from an outdated writer. */
export const drawnCommand: fc.Arbitrary<DrawnCommand> = fc.oneof(
  { weight: 6, arbitrary: append },
  { weight: 2, arbitrary: claim },
  fc.record({ type: fc.constant('heartbeat'), worker, at, ttlMs: fc.integer({ min: 0, max: 10 }) }),
  fc.record({
    type: fc.constant('read'),
    runId,
    afterSeq: fc.integer({ min: 0, max: 8 }),
    limit: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  }),
  fc.record({ type: fc.constant('run'), runId }),
  query,
  { weight: 2, arbitrary: put },
  fc.record({ type: fc.constant('read-inbox'), runId }),
  prune,
)

/** Converts a random command to a call, given the state of the reference model. */
export function toStoreCommand(model: StoreModel, command: DrawnCommand): StoreCommand {
  if (command.type !== 'append') return command
  const { runId, worker, seqOffset, fenceOffset, takes, content } = command
  const run = model.runs.get(runId)
  const expectedSeq = Math.max(0, (run?.entries.length ?? 0) + seqOffset)
  const fence = run === undefined ? 1 : run.fence + fenceOffset
  const { items = [], taken: before = 0 } = run ?? {}
  const taken = takes === 0 ? undefined : Math.min(items.length, before + takes)
  return { type: 'append', runId, worker, fence, expectedSeq, taken, entries: toEntries(expectedSeq + 1, content) }
}

function toEntries(firstSeq: number, { scope, sessionId, base, at, texts, ends }: DrawnContent): readonly Entry[] {
  const makers: ((seq: number) => Entry)[] = texts.map(text => seq => saidEntry(text, { seq, at: at + seq }))
  if (firstSeq === 1) makers.unshift(seq => startedEntry({ seq, at, scope, sessionId, base }))
  if (ends) makers.push(seq => endedEntry({ seq, at: at + seq }))
  return makers.map((make, index) => make(firstSeq + index))
}
