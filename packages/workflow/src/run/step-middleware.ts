import {
  defineMiddleware,
  describeError,
  toolError,
  type Clock,
  type ErrorInfo,
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
import { hasFailed, Siblings } from './siblings.ts'
import { PROVIDER, toFailureMark } from './step-mark.ts'

export interface StepMiddlewareOptions {
  readonly workflow: CompiledWorkflow
  readonly run: StepRun
  /** Limits concurrent calls. All runs of the workflow share it. */
  readonly semaphore: KeyedSemaphore
  readonly clock: Clock
}

/**
 * Creates the middleware around the steps of a run. It enforces the concurrency limit, and stops the concurrent calls
 * of a call that failed. It adds the error of a failed call as data to the result of the call, and the run's id to each
 * request to the workflow model.
 */
export function createStepMiddleware(options: StepMiddlewareOptions): Middleware {
  return defineMiddleware('workflow', facts => {
    // One object for all requests: the model finds what it keeps of the run by it.
    const mark = { run: facts.runId }
    const { clock } = options
    let turn = 0
    let siblings: Siblings | undefined
    return {
      model: (call, next) => {
        const { settings } = call.request
        const providerOptions = { ...settings.providerOptions, [PROVIDER]: mark }
        return next({ ...call, request: { ...call.request, settings: { ...settings, providerOptions } } })
      },
      tool: (call, next) => {
        if (options.workflow.failFast.has(placeOf(stepOfCall(call.callId)))) {
          // The calls of one answer are concurrent steps.
          if (turn !== call.turn) siblings = undefined
          turn = call.turn
          siblings ??= new Siblings(clock)
          return runStep({ options, facts, call, next, signal: siblings.signalOf(call), siblings })
        }
        return runStep({ options, facts, call, next, signal: call.signal })
      },
    }
  })
}

interface Step {
  readonly options: StepMiddlewareOptions
  readonly facts: RunFacts
  readonly call: ToolCall
  readonly next: (call: ToolCall) => Promise<ToolOutcome>
  /** Stops the call. */
  readonly signal: AbortSignal
  /** The concurrent calls that the failure of this one stops. */
  readonly siblings?: Siblings
}

async function runStep(step: Step): Promise<ToolOutcome> {
  const { call, next, siblings, signal } = step
  const entering = enter(step)
  const leave = entering instanceof Promise ? await entering : entering
  if (leave === undefined) return cancelled(call, false)
  try {
    if (siblings === undefined) return toResult(await next(call))
    const outcome = await siblings.settle(next({ ...call, signal }), call)
    return outcome === undefined ? cancelled(call, true) : toResult(outcome)
  } finally {
    leave()
  }
}

function toResult(outcome: ToolOutcome): ToolOutcome {
  return hasFailed(outcome) ? marked(outcome) : outcome
}

/**
 * Takes a place in the semaphore. Agents and tools share the places of the root run. Calls that start a child run of
 * the workflow have separate places for each answer.
 */
function enter({ call, facts, options, signal }: Step): ReturnType<KeyedSemaphore['enter']> {
  const { semaphore, run } = options
  const { name } = call.tool
  if (name === STEP_TOOLS.run) return semaphore.enter(`${facts.runId}/${call.turn}`, signal)
  if (name === STEP_TOOLS.approval || name === STEP_TOOLS.end) return () => {}
  const main = run.depth === 0 ? facts.runId : facts.path.at(-2 * run.depth)
  return semaphore.enter(main ?? facts.runId, signal)
}

function cancelled({ tool }: ToolCall, started: boolean): ToolOutcome {
  const error: ErrorInfo = { code: 'tool-cancelled', tool: tool.name, started }
  return marked(toolError(describeError(error), { error }))
}

/** Returns the failed result with its error in the provider data of the first text, where the workflow finds it again. */
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
