import { describeError, ParleyError, type ErrorInfo } from '@parley/core'
import type { EntryBody } from '../../run-context/run-journal.ts'
import type { ActionOf } from '../../journal/decide.ts'
import { executeCall, type ExecuteOptions } from './execute-call.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import { isStopping, type CallState } from '../../journal/run-state.ts'
import { isWaiting } from '../../journal/waiting.ts'

/** A tool call of an answer that has no result yet. */
export interface OpenCall {
  readonly callId: string
  /** Name of the tool. */
  readonly name: string
}

/**
 * Runs every open call of an answer until it has a result, as many at the same time as the agent allows. Calls that are
 * suspended for approval stay suspended, unless the run is being stopped.
 */
export function runTools(run: RunContext, { calls }: ActionOf<'run-tools'>): Promise<void> {
  const open = calls.every(call => mayRun(run, call)) ? calls : calls.filter(call => mayRun(run, call))
  // Most answers have one call, which needs neither batches nor `Promise.all` (bench: tricks single-call).
  const [only] = open
  return open.length === 1 && only !== undefined ? runCall(run, only) : runBatches(run, open)
}

async function runBatches(run: RunContext, open: readonly CallState[]): Promise<void> {
  const { batchSize } = run.agent
  for (let from = 0; from < open.length; from += batchSize) {
    // Only here can a message still prevent calls.
    const pulling = from === 0 ? undefined : run.middleware.pullSteering()
    if (pulling !== undefined) await pulling
    if (from > 0 && isSteered(run)) {
      for (const call of open.slice(from)) {
        if (call.children === undefined) skip(run, call)
        else await runCall(run, call)
      }
      return
    }
    const batch = open.slice(from, from + batchSize)
    const [only] = batch
    if (batch.length === 1 && only !== undefined) await runCall(run, only)
    else await Promise.all(batch.map(call => runCall(run, call)))
  }
}

/** The calls that `runTools` would run, in its batches. */
export function batchesOf(run: RunContext, calls: readonly CallState[]): readonly (readonly OpenCall[])[] {
  const open = calls.filter(call => mayRun(run, call)).map(({ call: { callId, name } }) => ({ callId, name }))
  // `Infinity` for agents that run all calls concurrently.
  const size = Math.min(run.agent.batchSize, open.length)
  return Array.from({ length: Math.ceil(open.length / size) }, (_, index) =>
    open.slice(index * size, (index + 1) * size),
  )
}

/**
 * Runs one call of an answer until it has a result, independently of the other calls.
 * @throws ParleyError `runtime-closed` if this process released the run, so that the process that resumes the run must
 * execute the call.
 */
export async function runOpenCall(run: RunContext, callId: string, options: ExecuteOptions): Promise<void> {
  const { calls = [] } = run.state
  const call = calls.find(one => one.call.callId === callId)
  if (call === undefined || call.result !== undefined || !mayRun(run, call)) return
  const maySkip = !isBegun(call) && calls.some(isBegun)
  if (maySkip) await run.middleware.pullSteering()
  if (maySkip && isSteered(run)) skip(run, call)
  else await runCall(run, call, options)
  const left = run.state.calls?.find(one => one.call.callId === callId)
  if (run.due.released && left?.result === undefined && left !== undefined && mayRun(run, left))
    throw new ParleyError({ code: 'runtime-closed' })
}

/** Whether a steering message is queued: calls that have not started are then skipped. */
function isSteered({ state }: RunContext): boolean {
  return state.queue.some(({ kind }) => kind === 'steering')
}

/** Whether the call can continue without an approval. */
function mayRun(run: RunContext, call: CallState): boolean {
  return !isWaiting(call) || isStopping(run.state)
}

function isBegun({ attempts, approval, children, result }: CallState): boolean {
  return attempts > 0 || approval !== undefined || children !== undefined || result !== undefined
}

async function runCall(run: RunContext, call: CallState, options?: ExecuteOptions): Promise<void> {
  const bodies = await executeCall(run, call, options)
  if (run.due.released && mayRunAgain(run, bodies)) return
  for (const body of bodies) {
    run.journal.record(body)
    reportThrown(run, body)
  }
  // A crash while other calls still run must not lose this result. The next step commits the last result.
  if (run.state.calls !== undefined) await run.journal.commit()
}

/** The error of a handler that threw is a fault of the program, and the run may complete in spite of it. */
function reportThrown({ runtime, facts }: RunContext, body: EntryBody): void {
  if (body.type !== 'tool.ended' || body.error?.code !== 'tool-failed' || body.error.stack === undefined) return
  const failure = new ParleyError(body.error)
  const { agent, runId } = facts
  // An error of the callback must not become a failure of the run.
  queueMicrotask(() => runtime.onUnreadFailure(failure, { agent, runId }))
}

/** Whether a call that the release of the run interrupted stays open, because its tool may be executed again. */
function mayRunAgain(run: RunContext, [entry]: readonly EntryBody[]): boolean {
  if (entry?.type !== 'tool.ended' || entry.error?.code !== 'tool-cancelled') return false
  const effect = run.state.calls?.find(({ call }) => call.callId === entry.callId)?.effect
  return !entry.error.started || effect !== 'once'
}

function skip(run: RunContext, { call }: CallState): void {
  const { callId, name } = call
  const error: ErrorInfo = { code: 'tool-skipped', tool: name }
  const content = [{ type: 'text' as const, text: describeError(error) }]
  const message = { role: 'tool' as const, callId, name, content, isError: true }
  run.journal.record({ type: 'tool.ended', turn: run.state.turn, callId, name, message, error, durationMs: 0 })
}
