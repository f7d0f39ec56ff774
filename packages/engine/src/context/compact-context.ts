import {
  ParleyError,
  toErrorInfo,
  totalTokens,
  type CompactionRequest,
  type ContextPolicy,
  type ErrorInfo,
  type Message,
  type MessageGroup,
} from '@parley/core'
import { dropOldest, LEFT_SHARE } from '@parley/core/context'
import { isValidTranscript } from '../journal/repair-transcript.ts'
import { stopError } from '../model/call-model.ts'
import type { RunScope } from '../run/run-scope.ts'
import { NOT_LOADED } from './default-token-counter.ts'
import { openCompaction } from './open-compaction.ts'
import { toParts } from './group-messages.ts'

export interface CompactContextOptions {
  /** Number of the model call it is for. */
  readonly turn: number
  readonly trigger: CompactionRequest['trigger']
}

/** Compacts when the agent's policy wants it before this turn's call; undefined when it does not. */
export function compactIfDue(run: RunScope, turn: number): Promise<unknown> | undefined {
  const { view } = run
  if (view === undefined) return undefined
  try {
    return view.policy.due(view) ? compactContext(run, { turn, trigger: 'due' }) : undefined
  } catch (cause) {
    if (cause === NOT_LOADED) return view.load()?.then(() => compactIfDue(run, turn))
    run.fail(cause)
    return Promise.resolve()
  }
}

/** Compacts because somebody asked for it: what the policy cannot do fails the run. */
export async function compactSession(run: RunScope, turn: number): Promise<void> {
  // The agent may have changed since the run began.
  if (run.view === undefined) return run.fail(noPolicy(run.prepared.agent.name))
  // What led here is shown first.
  await run.journal.commit()
  await compactContext(run, { turn, trigger: 'manual' })
  return undefined
}

/** Says that an agent's sessions cannot be compacted. */
export function noPolicy(agent: string): ParleyError {
  const detail = `is 'none', so that there is nothing to compact its sessions by`
  return new ParleyError({ code: 'config-invalid', path: `agents.${agent}.context`, detail })
}

/** Lets the agent's policy say what is sent from now on, and records it. False when nothing came of it. */
export async function compactContext(run: RunScope, { turn, trigger }: CompactContextOptions): Promise<boolean> {
  const { view } = run
  if (view === undefined) return false
  await view.load()
  const { policy, length } = view
  run.emit({ type: 'context.compacting', turn, policy: policy.name, trigger, messages: length })
  const { request, spent } = openCompaction(run, view, { turn, trigger })
  const { groups, error: failure } = await replacement(policy, request)
  // Cut short by a stop, there is no call to come: only what was spent is recorded.
  const { stopped } = run.stopper
  const error = stopped ? stopError(run) : failure
  const changed = groups !== undefined && !stopped && differ(groups, request.groups)
  const told = changed || (!stopped && (trigger === 'manual' || failure !== undefined))
  if (!told && totalTokens(spent.usage) === 0) return false
  const after = changed ? groups : request.groups
  const tokens = view.counted ? { tokens: tokensOf(request, after) } : {}
  run.journal.record({
    type: 'context.compacted',
    turn,
    policy: policy.name,
    trigger,
    view: toParts(after),
    before: { messages: length, ...(view.counted ? { tokens: view.tokens() } : {}) },
    after: { messages: messagesOf(after).length, ...tokens },
    ...(error === undefined ? {} : { error }),
    usage: spent.usage,
    ...(spent.cost === undefined ? {} : { cost: spent.cost }),
  })
  return changed
}

/** What the policy wants sent, or what is left when its own way fails. */
async function replacement(
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

/** Whether other messages are sent. Written ones may be new and say the same. */
function differ(a: readonly MessageGroup[], b: readonly MessageGroup[]): boolean {
  if (a.length === b.length && a.every((group, index) => group === b[index])) return false
  return JSON.stringify(toParts(a)) !== JSON.stringify(toParts(b))
}

function messagesOf(groups: readonly MessageGroup[]): readonly Message[] {
  return groups.flatMap(group => group.messages)
}
