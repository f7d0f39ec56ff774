import { describeError, ParleyError, type ErrorInfo } from '@parley/core'
import type { EntryBody } from '../../run-context/run-journal.ts'
import { executeCall, type ExecuteOptions } from './execute-call.ts'
import type { OpenCall } from '../../loop/durable-host.ts'
import type { RunScope } from '../../run-context/run-scope.ts'
import { isStopping, type CallState } from '../../journal/run-state.ts'
import { isWaiting } from '../../journal/waiting.ts'

/**
 * Brings every open call of an answer to its result, as many at once as the agent allows. Calls that wait for a person
 * are left waiting, unless the run is being stopped.
 */
export function runTools(run: RunScope, calls: readonly CallState[]): Promise<void> {
  const open = calls.filter(call => mayRun(run, call))
  const [only] = open
  return open.length === 1 && only !== undefined ? runCall(run, only) : runBatches(run, open)
}

async function runBatches(run: RunScope, open: readonly CallState[]): Promise<void> {
  const { batchSize } = run.prepared
  for (let from = 0; from < open.length; from += batchSize) {
    if (from > 0 && run.state.queue.some(queued => queued.kind === 'steering')) {
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

/** The calls `runTools` would run, in the batches it would run them in. */
export function batchesOf(run: RunScope, calls: readonly CallState[]): readonly (readonly OpenCall[])[] {
  const open = calls.filter(call => mayRun(run, call)).map(({ call: { callId, name } }) => ({ callId, name }))
  // Agents that run all at once have an endless size.
  const size = Math.min(run.prepared.batchSize, open.length)
  return Array.from({ length: Math.ceil(open.length / size) }, (_, index) =>
    open.slice(index * size, (index + 1) * size),
  )
}

/**
 * Brings one call of the answer to its result, whichever others have theirs by now.
 * @throws ParleyError `runtime-closed` when it is left to whoever resumes the run.
 */
export async function runOpenCall(run: RunScope, callId: string, options: ExecuteOptions): Promise<void> {
  const { calls = [], queue } = run.state
  const call = calls.find(one => one.call.callId === callId)
  if (call === undefined || call.result !== undefined || !mayRun(run, call)) return
  const isSteered = queue.some(({ kind }) => kind === 'steering')
  if (isSteered && !isBegun(call) && calls.some(isBegun)) skip(run, call)
  else await runCall(run, call, options)
  const left = run.state.calls?.find(one => one.call.callId === callId)
  if (run.released && left?.result === undefined && left !== undefined && mayRun(run, left))
    throw new ParleyError({ code: 'runtime-closed' })
}

/** Whether something else than a person can bring it on. */
function mayRun(run: RunScope, call: CallState): boolean {
  return !isWaiting(call) || isStopping(run.state)
}

function isBegun({ attempts, approval, children, result }: CallState): boolean {
  return attempts > 0 || approval !== undefined || children !== undefined || result !== undefined
}

async function runCall(run: RunScope, call: CallState, options?: ExecuteOptions): Promise<void> {
  const bodies = await executeCall(run, call, options)
  if (run.released && mayRunAgain(run, bodies)) return
  for (const body of bodies) run.journal.record(body)
  // While others still run, a crash must not lose this result. The last one is committed by the driver's next step.
  if (run.state.calls !== undefined) await run.journal.commit()
}

/** A call that was cut off while the run is let go stays open where running it again does no harm. */
function mayRunAgain(run: RunScope, [entry]: readonly EntryBody[]): boolean {
  if (entry?.type !== 'tool.ended' || entry.error?.code !== 'tool-cancelled') return false
  const effect = run.state.calls?.find(({ call }) => call.callId === entry.callId)?.effect
  return !entry.error.started || effect !== 'once'
}

function skip(run: RunScope, { call }: CallState): void {
  const { callId, name } = call
  const error: ErrorInfo = { code: 'tool-skipped', tool: name }
  const content = [{ type: 'text' as const, text: describeError(error) }]
  const message = { role: 'tool' as const, callId, name, content, isError: true }
  run.journal.record({ type: 'tool.ended', turn: run.state.turn, callId, name, message, error, durationMs: 0 })
}
