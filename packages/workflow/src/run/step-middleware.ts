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
import { cancelSiblings, hasFailed } from './cancel-siblings.ts'
import type { KeyedSemaphore } from './keyed-semaphore.ts'
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
    let group = { turn: 0, controller: new AbortController() }
    return {
      model: (call, next) => {
        const { settings } = call.request
        const providerOptions = { ...settings.providerOptions, [PROVIDER]: mark }
        return next({ ...call, request: { ...call.request, settings: { ...settings, providerOptions } } })
      },
      tool: (call, next) => {
        // The calls of one answer are concurrent steps.
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
  /** Aborted when a concurrent step has failed. */
  readonly siblings: AbortController
}

async function runStep(step: Step): Promise<ToolOutcome> {
  const { call, next, siblings, workflow, clock } = step
  const failsFast = workflow.failFast.has(placeOf(stepOfCall(call.callId)))
  const signal = failsFast ? AbortSignal.any([call.signal, siblings.signal]) : call.signal
  const leave = await enter(step, signal)
  if (leave === undefined) return cancelled(call, false)
  try {
    const working = next({ ...call, signal })
    const outcome = failsFast ? await cancelSiblings(working, { call, siblings, clock }) : await working
    if (outcome === undefined) return cancelled(call, true)
    return hasFailed(outcome) ? marked(outcome) : outcome
  } finally {
    leave()
  }
}

/**
 * Takes a place in the semaphore. Agents and tools share the places of the root run. Calls that start a child run of
 * the workflow have separate places for each answer.
 */
function enter({ call, facts, semaphore, run }: Step, signal: AbortSignal): Promise<(() => void) | undefined> {
  const { name } = call.tool
  if (name === STEP_TOOLS.run) return semaphore.enter(`${facts.runId}/${call.turn}`, signal)
  if (name === STEP_TOOLS.approval || name === STEP_TOOLS.end) return Promise.resolve(() => {})
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
