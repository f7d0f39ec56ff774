import {
  refuseOption,
  type EntryOf,
  type Message,
  type RunRecord,
  type Store,
  type ToolMessage,
  type UserMessage,
} from '@parley/core'
import { readLimits } from '../agent/kept-limits.ts'
import { loadBase, loadRun } from '../run-context/stored/load-run.ts'
import { readFirst, readPages } from '../run-context/stored/read-journal.ts'
import { checkMessage } from '../steps/input/check-message.ts'
import { sessionHead } from '../run-context/session/load-session.ts'
import { positionOf, replaceResults } from '../journal/replace-results.ts'
import type { BranchOptions, ForkOptions, ReplacedResult } from './run-options.ts'
import type { StartRequest } from './start-run.ts'

export interface BranchSource {
  readonly store: Store
  readonly record: RunRecord
}

/**
 * Plans a run that continues another run from the middle.
 * @throws ParleyError `config-invalid` if the journal has no such entry, or if the transcript at that entry leaves nothing to
 * answer; `session-busy`.
 */
export async function planFork(
  { store, record }: BranchSource,
  { at = record.seq, results = [], ...options }: ForkOptions,
): Promise<StartRequest> {
  const { runId, seq } = record
  if (!(Number.isInteger(at) && at >= 1 && at <= seq))
    refuseOption('at', `is ${at}, the run has the entries 1 to ${seq}`)
  const first = await readFirst(store, runId)
  const state = await loadRun(store, runId, at)
  const replaced = toReplaced(replaceResults(state).messages, results, at)
  const { messages, context } = replaceResults(state, replaced)
  const { input } = options
  if (input === undefined) checkQuestion(messages, at)
  else checkMessage('fork.input', input)
  const request = await toRequest({ store, record, first }, options)
  return {
    ...request,
    input,
    base: {
      ...request.base,
      relation: 'branch',
      messages,
      context,
      at: { runId, seq: at, ...(replaced.length === 0 ? {} : { replaced }) },
    },
  }
}

/**
 * Plans a run that begins where another run began.
 * @throws ParleyError `session-busy`.
 */
export async function planRerun({ store, record }: BranchSource, options: BranchOptions): Promise<StartRequest> {
  const { runId } = record
  const first = await readFirst(store, runId)
  const { base: at, history } = first
  const { input = await inputOf(store, runId) } = options
  if (input !== undefined) checkMessage('rerun.input', input)
  if (input === undefined && first.relation === 'compaction')
    refuseOption('input', `is missing: run '${runId}' compacted its session and was asked nothing`)
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

/** Returns the agent, the options and the session for a fork or a rerun. */
async function toRequest(
  { store, record, first }: Branching,
  { agent = record.agent, sessionId = record.sessionId, input: _input, ...given }: BranchOptions,
) {
  const { scope } = record
  const head = await sessionHead(store, { sessionId, scope })
  const { metadata = first.metadata, workspace = first.workspace, context = first.context } = given
  // Another agent may not have the same variables, and its model may not accept the settings.
  const own = agent === record.agent ? first : undefined
  const { variables = own?.variables, instructions = own?.instructions, settings = own?.settings } = given
  const { model = own?.chosenModel } = given
  const { limits = own?.limits && readLimits(own.limits) } = given
  const { clientTools = own?.clientTools, acceptClientTools = own?.acceptClientTools } = given
  return {
    agent,
    options: {
      ...given,
      sessionId,
      scope,
      context,
      metadata,
      workspace,
      variables,
      instructions,
      model,
      settings,
      limits,
      clientTools,
      acceptClientTools,
    },
    base: { sessionHead: head?.runId ?? null },
  }
}

/** The results as messages. @throws ParleyError `config-invalid` for a call that the transcript does not have. */
function toReplaced(messages: readonly Message[], results: readonly ReplacedResult[], at: number): ToolMessage[] {
  return results.map(({ callId, content, structured, isError = false }, index) => {
    const before = messages[positionOf(messages, callId)]
    if (before?.role !== 'tool')
      return refuseOption(
        `results.${index}`,
        `names the call '${callId}', which the transcript up to entry ${at} does not have`,
      )
    return {
      role: 'tool',
      callId,
      name: before.name,
      content: typeof content === 'string' ? [{ type: 'text', text: content }] : [...content],
      ...(structured === undefined ? {} : { structured }),
      ...(isError ? { isError } : {}),
    }
  })
}

/** The input of the run. */
async function inputOf(store: Store, runId: string): Promise<UserMessage | undefined> {
  for await (const entries of readPages(store, runId)) {
    for (const entry of entries) {
      if (entry.type !== 'message.appended' || entry.source !== 'input') continue
      if (entry.message.role === 'user') return entry.message
    }
  }
  return undefined
}

/** Checks that the transcript ends with a message to answer. A run with an input needs no such message. */
function checkQuestion(messages: readonly Message[], at: number): void {
  const role = messages.at(-1)?.role
  if (role === 'user' || role === 'tool') return
  refuseOption(
    'input',
    `is missing: after entry ${at} the transcript ${role === undefined ? 'is empty' : 'ends with an answer'}`,
  )
}
