import {
  SETTLE_MS,
  type DelegateRequest,
  type DelegateResult,
  type ErrorInfo,
  type Tool,
  type ToolCall,
  type ToolContext,
} from '@parley/core'
import { createContextEditor } from './create-context-editor.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import type { CallNotes } from './call-notes.ts'

export interface Invocation {
  readonly tool: Tool
  readonly call: ToolCall
  readonly input: unknown
  /** Whether the call was approved. */
  readonly approved: boolean
  readonly notes: CallNotes
}

export type Handled =
  | { readonly type: 'returned'; readonly value: unknown }
  | { readonly type: 'threw'; readonly error: unknown }
  | { readonly type: 'refused'; readonly error: ErrorInfo }

/** Calls a handler with its timeout. A stop of the run interrupts it. Settles even if the handler never does. */
export function invokeHandler(
  run: RunContext,
  { tool, call, input, approved, notes }: Invocation,
): Handled | Promise<Handled> {
  const timeoutMs = tool.timeoutMs ?? run.agent.definition.toolTimeoutMs
  // A call has a signal of its own only if a timeout can stop it.
  const controller = timeoutMs === undefined ? undefined : new AbortController()
  const signal = controller === undefined ? call.signal : joined(controller.signal, call.signal, run)
  const { callId } = call
  const context: ToolContext = {
    signal,
    callId,
    idempotencyKey: `${run.facts.runId}/${callId}`,
    progress: update => run.emit({ type: 'tool.progress', turn: call.turn, callId, name: tool.name, update }),
    run: run.facts,
    approved,
    // Created for every call: V8 creates an object literal with an accessor slowly (bench: tricks context-editor).
    contextEditor: createContextEditor(run, tool.name, notes),
    delegate: request => delegateFrom(run, notes, { callId, signal, request }),
  }
  let work: unknown
  try {
    work = tool.execute(input, context)
  } catch (error) {
    return { type: 'threw', error }
  }
  if (!isPromiseLike(work)) return { type: 'returned', value: work }
  return untilSettled(run, { work, name: tool.name, timeoutMs, controller })
}

interface Delegating {
  readonly callId: string
  readonly signal: AbortSignal
  readonly request: DelegateRequest
}

function delegateFrom(
  run: RunContext,
  notes: CallNotes,
  { callId, signal, request }: Delegating,
): Promise<DelegateResult> {
  if (notes.over) {
    const refusal = Promise.reject<DelegateResult>(new Error('the call has ended'))
    // The handler may ignore the promise.
    refusal.catch(() => {})
    return refusal
  }
  notes.delegation ??= run.delegations.open(callId, notes.mayLeave)
  return notes.delegation.delegate(request, signal)
}

/**
 * Joins the timeout's signal with the signal that a middleware set for the call, if it set one. The timeout's signal
 * already follows the run's stop.
 */
function joined(own: AbortSignal, given: AbortSignal, run: RunContext): AbortSignal {
  return given === run.stopper.signal ? own : AbortSignal.any([own, given])
}

interface Work {
  readonly work: PromiseLike<unknown>
  readonly name: string
  readonly timeoutMs: number | undefined
  readonly controller: AbortController | undefined
}

function untilSettled(run: RunContext, { work, name, timeoutMs, controller }: Work): Promise<Handled> {
  const { clock, stopper } = run
  return new Promise(resolve => {
    let verdict: ErrorInfo | undefined
    let callOff: (() => void) | undefined
    const finish = (handled: Handled): void => {
      stopper.offStop(onStop)
      callOff?.()
      // A value that a handler returns after its stop is not a result: the handler was interrupted.
      resolve(verdict === undefined || handled.type === 'refused' ? handled : { type: 'refused', error: verdict })
    }
    const halt = (error: ErrorInfo, reason: unknown): void => {
      verdict = error
      callOff?.()
      controller?.abort(reason)
      callOff = clock.after(SETTLE_MS, () => finish({ type: 'refused', error }))
    }
    const onStop = (reason: unknown): void => halt({ code: 'tool-cancelled', tool: name, started: true }, reason)
    stopper.onStop(onStop)
    if (timeoutMs !== undefined && !stopper.stopped) {
      const error: ErrorInfo = { code: 'tool-timeout', tool: name, ms: timeoutMs }
      callOff = clock.after(timeoutMs, () =>
        halt(error, new DOMException(`timed out after ${timeoutMs} ms`, 'TimeoutError')),
      )
    }
    work.then(
      value => finish({ type: 'returned', value }),
      error => finish({ type: 'threw', error }),
    )
  })
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
