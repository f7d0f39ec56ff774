import { createId, ParleyError, toolCallsOf, type Entry, type Store, type ToolEffect } from '@parley/core'
import { planFork } from './plan-branch.ts'
import type { ForkOptions } from './run-options.ts'

/** What a fork would do. */
export interface ForkPlan {
  /** Number of the last entry that the new run continues from. */
  readonly at: number
  /** Why the fork is refused. Absent if it is possible. */
  readonly refusal?: string | undefined
  /** Whether the transcript up to `at` has nothing to answer, so that the fork requires an `input`. */
  readonly needsInput: boolean
  /** Calls whose recorded results the new run keeps. They never run again. */
  readonly kept: readonly ForkCall[]
  /** Calls whose results are replaced. They do not run again. */
  readonly replaced: readonly ForkCall[]
  /** Calls without a result at `at`. They do not run; the model reads that they were cancelled or interrupted. */
  readonly open: readonly ForkCall[]
  /** Calls after `at`. They run again if the model of the fork makes them again. */
  readonly again: readonly ForkCall[]
}

/** A tool call of the run that is forked. */
export interface ForkCall {
  readonly callId: string
  readonly name: string
  /** Absent if the tool was not started. */
  readonly effect?: ToolEffect | undefined
  /** Number of the entry that ended the call. Absent if it has not ended. */
  readonly seq?: number | undefined
}

/**
 * Says what `runtime.fork` would do, and changes nothing. The session of the fork is not looked at.
 * @throws ParleyError `run-unknown`, `store-…`.
 */
export async function describeFork(
  store: Store,
  runId: string,
  { at: given, input, results = [] }: Pick<ForkOptions, 'at' | 'input' | 'results'> = {},
): Promise<ForkPlan> {
  const record = await store.run(runId)
  if (record === undefined) throw new ParleyError({ code: 'run-unknown', runId })
  const at = given ?? record.seq
  // A session without runs is never busy.
  const sessionId = createId(record.startedAt)
  const refusalOf = (options: ForkOptions): Promise<string | undefined> =>
    planFork({ store, record }, { at, results, sessionId, ...options }).then(
      () => undefined,
      (error: unknown) => refusal(error),
    )
  const needsInput =
    (await refusalOf({ results: [], input: 'x' })) === undefined && (await refusalOf({ results: [] })) !== undefined
  const refused = await refusalOf({ input })
  const entries = await store.read(runId)
  const before = callsOf(entries.filter(({ seq }) => seq <= at))
  const made = new Set(before.map(({ callId }) => callId))
  const isReplaced = ({ callId }: ForkCall): boolean => results.some(result => result.callId === callId)
  return {
    at,
    ...(refused === undefined ? {} : { refusal: refused }),
    needsInput,
    kept: before.filter(call => call.seq !== undefined && !isReplaced(call)),
    replaced: before.filter(isReplaced),
    open: before.filter(call => call.seq === undefined && !isReplaced(call)),
    again: callsOf(entries).filter(({ callId }) => !made.has(callId)),
  }
}

function refusal(error: unknown): string {
  if (ParleyError.is(error, 'config-invalid')) return `${error.info.path}: ${error.info.detail}`
  throw error
}

/** The calls of a run in the order in which the model made them. */
function callsOf(entries: readonly Entry[]): readonly ForkCall[] {
  const calls = new Map<string, ForkCall>()
  const change = (callId: string, changes: Partial<ForkCall>): void => {
    const call = calls.get(callId)
    if (call !== undefined) calls.set(callId, { ...call, ...changes })
  }
  for (const entry of entries) {
    if (entry.type === 'message.appended' && entry.message.role === 'assistant')
      for (const { callId, name } of toolCallsOf(entry.message)) calls.set(callId, { callId, name })
    if (entry.type === 'tool.started') change(entry.callId, { effect: entry.effect })
    if (entry.type === 'tool.ended') change(entry.callId, { seq: entry.seq })
  }
  return [...calls.values()]
}
