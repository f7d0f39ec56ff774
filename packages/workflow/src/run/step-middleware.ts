import {
  defineMiddleware,
  describeError,
  toolError,
  type Clock,
  type ErrorInfo,
  type InputFilter,
  type Middleware,
  type RunFacts,
  type ToolCall,
  type ToolFailure,
  type ToolOutcome,
} from '@parley/core'
import type { CompiledWorkflow, StepRun } from '../compile/step-run.ts'
import { placeOf, stepOfCall } from '../compile/step-id.ts'
import { STEP_TOOLS } from '../compile/plan.ts'
import type { KeyedSemaphore } from './keyed-semaphore.ts'
import { PROVIDER, toFailureMark } from './step-mark.ts'

/** How long a stopped call may take to settle before it is left behind, as the engine has it. */
const SETTLE_MS = 1_000

export interface StepMiddlewareOptions {
  readonly workflow: CompiledWorkflow
  readonly run: StepRun
  /** Shared by all runs of the workflow. */
  readonly semaphore: KeyedSemaphore
  readonly clock: Clock
}

/**
 * What stands around the steps of a run: it keeps to the limit of what is at work at once, stops a failed call's siblings, leaves
 * failures as data beside their words, and tells the model which run it is asked for.
 */
export function createStepMiddleware(options: StepMiddlewareOptions): Middleware {
  return defineMiddleware('workflow', facts => {
    let group = { turn: 0, controller: new AbortController() }
    return {
      model: (call, next) => {
        const { settings } = call.request
        const providerOptions = { ...settings.providerOptions, [PROVIDER]: { run: facts.runId } }
        return next({ ...call, request: { ...call.request, settings: { ...settings, providerOptions } } })
      },
      tool: (call, next) => {
        // The calls of one answer are the steps side by side.
        if (group.turn !== call.turn) group = { turn: call.turn, controller: new AbortController() }
        return runStep({ ...options, facts, call, next, siblings: group.controller })
      },
    }
  })
}

interface Step extends StepMiddlewareOptions {
  readonly facts: RunFacts
  readonly call: ToolCall
  readonly next: (call: ToolCall) => Promise<ToolOutcome>
  /** Aborted when one of the steps side by side has failed. */
  readonly siblings: AbortController
}

async function runStep(step: Step): Promise<ToolOutcome> {
  const { call, next, siblings, workflow, clock } = step
  const failsFast = workflow.failFast.has(placeOf(stepOfCall(call.callId)))
  const signal = failsFast ? AbortSignal.any([call.signal, siblings.signal]) : call.signal
  const leave = await enter(step, signal)
  if (leave === undefined) return cancelled(call, false)
  // Whatever goes wrong beside a call that is being stopped is not why the others stop.
  const stopSiblings = (): void => {
    if (failsFast && !call.signal.aborted)
      siblings.abort(new Error(`step '${stepOfCall(call.callId)}' beside it has failed`))
  }
  try {
    const working = next({ ...call, signal })
    const outcome = failsFast ? await settledIn(working, siblings.signal, clock) : await working
    if (outcome === undefined) return cancelled(call, true)
    // A call that waits for a person has not failed: it goes on after the decision.
    if (outcome.type !== 'error' || outcome.error?.code === 'run-suspended') return outcome
    if (failsFast && siblings.signal.aborted && !call.signal.aborted) return cancelled(call, true)
    stopSiblings()
    return marked(outcome)
  } catch (error) {
    stopSiblings()
    throw error
  } finally {
    leave()
  }
}

/** Takes a place among what is at work at once. Steps in a run of their own count there themselves, and have places of their own kind. */
function enter({ call, facts, semaphore, run }: Step, signal: AbortSignal): Promise<(() => void) | undefined> {
  const { name } = call.tool
  if (name === STEP_TOOLS.run) return semaphore.enter(`${facts.runId}/${call.turn}`, signal)
  if (name === STEP_TOOLS.approval || name === STEP_TOOLS.end) return Promise.resolve(() => {})
  const main = run.depth === 0 ? facts.runId : facts.path.at(-2 * run.depth)
  return semaphore.enter(main ?? facts.runId, signal)
}

/** What the work comes to; undefined when it does not heed the signal. */
function settledIn(work: Promise<ToolOutcome>, signal: AbortSignal, clock: Clock): Promise<ToolOutcome | undefined> {
  return new Promise((resolve, reject) => {
    let callOff = (): void => {}
    const wait = (): void => {
      callOff = clock.after(SETTLE_MS, () => resolve(undefined))
    }
    const over = (): void => {
      signal.removeEventListener('abort', wait)
      callOff()
    }
    signal.addEventListener('abort', wait, { once: true })
    work.then(
      outcome => {
        over()
        resolve(outcome)
      },
      error => {
        over()
        reject(error as Error)
      },
    )
  })
}

function cancelled({ tool }: ToolCall, started: boolean): ToolOutcome {
  const error: ErrorInfo = { code: 'tool-cancelled', tool: tool.name, started }
  return marked(toolError(describeError(error), { error }))
}

/** The failure, with what it is as data at its words. */
function marked({ content, error, retryable, metadata }: ToolFailure): ToolOutcome {
  const [first, ...others] = content
  const text = first?.type === 'text' ? first.text : ''
  const info: ErrorInfo = error ?? { code: 'internal', detail: text }
  const providerData = toFailureMark(info)
  const rest = first?.type === 'text' ? others : content
  return toolError([{ type: 'text', text, providerData }, ...rest], {
    retryable,
    metadata,
    ...(error === undefined ? {} : { error }),
  })
}

/** A run of a workflow takes its input and nothing more. */
export function rejectMessages(): { readonly filter: InputFilter; readonly middleware: Middleware } {
  const begun = new WeakSet<RunFacts>()
  return {
    filter: {
      name: 'workflow',
      check: (_message, { run }) =>
        begun.has(run) ? { type: 'reject', reason: 'a workflow takes no messages while it runs.' } : 'pass',
    },
    middleware: defineMiddleware('workflow-input', facts => ({
      event({ type }) {
        if (type === 'message.appended' || type === 'run.resumed') begun.add(facts)
      },
    })),
  }
}
