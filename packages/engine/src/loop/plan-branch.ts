import {
  ParleyError,
  type Entry,
  type EntryOf,
  type Message,
  type RunRecord,
  type Store,
  type UserMessage,
} from '@parley/core'
import { evolve } from '../journal/evolve.ts'
import { loadBase, sessionHead } from '../run-context/load-run.ts'
import { initialState } from '../journal/run-state.ts'
import { settleTranscript } from '../journal/settle-transcript.ts'
import type { BranchOptions, ForkOptions } from './run-options.ts'
import type { StartRequest } from './start-run.ts'

export interface BranchSource {
  readonly store: Store
  readonly record: RunRecord
}

/**
 * A run that goes on from the middle of another.
 * @throws ParleyError `config-invalid` for a point the journal does not have, or one that leaves nothing to answer;
 * `session-busy`.
 */
export async function planFork(
  { store, record }: BranchSource,
  { at = record.seq, ...options }: ForkOptions,
): Promise<StartRequest> {
  const { runId, seq } = record
  if (!(Number.isInteger(at) && at >= 1 && at <= seq)) refuse('at', `is ${at}, the run has the entries 1 to ${seq}`)
  const { first, entries } = await readJournal(store, runId)
  const { messages: before, context } = await loadBase(store, first)
  let state = initialState(before, context)
  for (const entry of entries) if (entry.seq <= at) state = evolve(state, entry)
  const messages = settleTranscript(state)
  const { input } = options
  if (input === undefined) checkQuestion(messages, at)
  const request = await toRequest({ store, record, first }, options)
  return {
    ...request,
    input,
    base: { ...request.base, relation: 'branch', messages, context: state.context, at: { runId, seq: at } },
  }
}

/**
 * A run that begins where another began.
 * @throws ParleyError `session-busy`.
 */
export async function planRerun({ store, record }: BranchSource, options: BranchOptions): Promise<StartRequest> {
  const { runId } = record
  const { first, entries } = await readJournal(store, runId)
  const { base: at, history } = first
  const { input = inputOf(entries) } = options
  if (input === undefined && first.relation === 'compaction')
    refuse('input', `is missing: run '${runId}' compacted its session and was asked nothing`)
  const { base, ...request } = await toRequest({ store, record, first }, options)
  const { messages, context } = await loadBase(store, first)
  return {
    ...request,
    input,
    options: { ...request.options, history },
    base: { ...base, relation: 'rerun', messages, context, at, origin: runId },
  }
}

interface Branching extends BranchSource {
  readonly first: EntryOf<'run.started'>
}

/** What both have in common: the agent, and the place in a session. */
async function toRequest(
  { store, record, first }: Branching,
  { agent = record.agent, sessionId = record.sessionId, input: _input, ...given }: BranchOptions,
) {
  const { scope } = record
  const head = await sessionHead(store, { sessionId, scope })
  const { metadata = first.metadata, workspace = first.workspace } = given
  // Another agent's instructions may not know them, nor its model take them.
  const own = agent === record.agent ? first : undefined
  const { variables = own?.variables, instructions = own?.instructions, settings = own?.settings } = given
  return {
    agent,
    options: { ...given, sessionId, scope, metadata, workspace, variables, instructions, settings },
    base: { sessionHead: head?.runId ?? null },
  }
}

async function readJournal(store: Store, runId: string) {
  const entries = await store.read(runId)
  const [first] = entries
  if (first?.type !== 'run.started') throw new ParleyError({ code: 'run-unknown', runId })
  return { first, entries }
}

/** What the user said to the run at its start. */
function inputOf(entries: readonly Entry[]): UserMessage | undefined {
  for (const entry of entries) {
    if (entry.type !== 'message.appended' || entry.source !== 'input') continue
    if (entry.message.role === 'user') return entry.message
  }
  return undefined
}

/** Without an input there has to be something to answer. */
function checkQuestion(messages: readonly Message[], at: number): void {
  const role = messages.at(-1)?.role
  if (role === 'user' || role === 'tool') return
  refuse(
    'input',
    `is missing: after entry ${at} the transcript ${role === undefined ? 'is empty' : 'ends with an answer'}`,
  )
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
