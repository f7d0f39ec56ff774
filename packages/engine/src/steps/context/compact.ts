import {
  toErrorInfo,
  totalTokens,
  type CompactionRequest,
  type ContextPolicy,
  type ErrorInfo,
  type Message,
  type MessageGroup,
} from '@parley/core'
import type { ActionOf } from '../../journal/decide.ts'
import { isValidTranscript } from '../../journal/repair-transcript.ts'
import { failRun, stopError } from '../../run-context/fail-run.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import { dropOldest, LEFT_SHARE } from '@parley/core/context'
import { NOT_LOADED } from '../../agent/context/default-token-counter.ts'
import { openCompaction } from './open-compaction.ts'
import { toParts } from '../../run-context/view/group-messages.ts'

import { noPolicyError } from '../../agent/no-policy-error.ts'

type CompactAction = Pick<ActionOf<'compact'>, 'turn' | 'trigger'>

/** Compacts what is sent to the model. If the policy fails in a manual compaction, the run fails. */
export function compact(run: RunContext, action: ActionOf<'compact'>): Promise<void> {
  switch (action.trigger) {
    case 'due':
      return compactIfDue(run, action.turn)
    case 'overflow':
      run.due.tryCompaction(action.turn, 'overflow')
      return compactContext(run, action)
    case 'manual':
      return compactSession(run, action)
  }
}

/**
 * Compacts after the policy's `due` returned true or threw an error. If it threw because the tokenizer was not loaded,
 * asks it again.
 */
async function compactIfDue(run: RunContext, turn: number): Promise<void> {
  const { view } = run.prompt
  if (view === undefined) return
  const action = { turn, trigger: 'due' } as const
  try {
    const error = run.due.tryCompaction(turn, 'due')
    if (error === NOT_LOADED) await view.load()
    else if (error !== undefined) throw error
    if (error === undefined || view.policy.due(view)) await compactContext(run, action)
  } catch (cause) {
    failRun(run.journal, cause, 'context')
  }
}

async function compactSession(run: RunContext, action: CompactAction): Promise<void> {
  // A process that resumes the run may define the agent without a policy.
  if (run.prompt.view === undefined) return failRun(run.journal, noPolicyError(run.agent.definition.name), 'context')
  // Readers see the start of the run before the policy's work.
  await run.journal.commit()
  await compactContext(run, action)
  return undefined
}

/**
 * Lets the agent's policy choose what is sent from now on. Records the result if it changes what is sent, or if the
 * policy failed or used tokens.
 */
async function compactContext(run: RunContext, { turn, trigger }: CompactAction): Promise<void> {
  const { view } = run.prompt
  if (view === undefined) return
  await view.load()
  const { policy, length } = view
  run.emit({ type: 'context.compacting', turn, policy: policy.name, trigger, messages: length })
  const { request, spent } = openCompaction(run, view, { turn, trigger })
  const { groups, error: failure } = await replacement(policy, request)
  // A run that was stopped makes no further model call: only the spending is recorded.
  const { stopped } = run.stopper
  const error = stopped ? stopError(run.state) : failure
  const changed = groups !== undefined && !stopped && differ(groups, request.groups)
  const recorded = changed || (!stopped && (trigger === 'manual' || failure !== undefined))
  if (!recorded && totalTokens(spent.usage) === 0) return
  const after = changed ? groups : request.groups
  // A middleware that watches compactions receives tokens too.
  const counts = view.counted || run.feed.listeners.length > 0
  const tokens = counts ? { tokens: tokensOf(request, after) } : {}
  run.journal.record({
    type: 'context.compacted',
    turn,
    policy: policy.name,
    trigger,
    view: toParts(after),
    before: { messages: length, ...(counts ? { tokens: view.tokens() } : {}) },
    after: { messages: messagesOf(after).length, ...tokens },
    ...(error === undefined ? {} : { error }),
    usage: spent.usage,
    ...(spent.cost === undefined ? {} : { cost: spent.cost }),
  })
}

/** Returns the messages that the policy chose. If the policy fails, returns the newest messages that fit. */
export async function replacement(
  policy: ContextPolicy,
  request: CompactionRequest,
): Promise<{ readonly groups: readonly MessageGroup[] | undefined; readonly error?: ErrorInfo }> {
  try {
    const compaction = await policy.compact(request)
    if (compaction !== undefined && !isValidTranscript(messagesOf(compaction.view))) {
      throw new Error('The policy separated a tool call from its result.')
    }
    return { groups: compaction?.view }
  } catch (cause) {
    if (request.trigger === 'manual') return { groups: undefined, error: toErrorInfo(cause) }
    const maxTokens = Math.floor((request.budget ?? request.tokens()) * LEFT_SHARE)
    const groups = dropOldest(request, { maxMessages: Infinity, maxTokens, minMessages: 0, keepSystem: true })
    return { groups, error: toErrorInfo(cause) }
  }
}

function tokensOf(request: CompactionRequest, groups: readonly MessageGroup[]): number {
  return request.fixedTokens + request.count(messagesOf(groups))
}

/** Whether the messages to send have changed. Compares them as JSON, because a policy may return equal copies. */
function differ(a: readonly MessageGroup[], b: readonly MessageGroup[]): boolean {
  if (a.length === b.length && a.every((group, index) => group === b[index])) return false
  return JSON.stringify(toParts(a)) !== JSON.stringify(toParts(b))
}

function messagesOf(groups: readonly MessageGroup[]): readonly Message[] {
  return groups.flatMap(group => group.messages)
}
