import {
  ParleyError,
  type Json,
  type Message,
  type Model,
  type ModelEvent,
  type ModelPricing,
  type ModelRequest,
} from '@parley/core'
import type { CompiledWorkflow, StepRun } from '../compile/step-run.ts'
import { parallelLimitOf } from '../compile/run-limits.ts'
import { callIdOf } from '../compile/step-id.ts'
import { STEP_TOOLS } from '../compile/plan.ts'
import type { Workflow, WorkflowResult } from '../definition/workflow.ts'
import { isObject, toText } from '../template/json.ts'
import type { Scope } from '../template/scope.ts'
import { createPlaces, type Places, type StepCall, type Walk } from './call-outcome.ts'
import { continues, createProgress, readTranscript, type Progress } from './read-transcript.ts'
import { PROVIDER, toCallMark } from './step-mark.ts'
import { applyPolicy, walkPlan } from './walk-plan.ts'

export interface WorkflowModelOptions {
  readonly workflow: CompiledWorkflow
  readonly run: StepRun
  readonly definition: Workflow
}

/**
 * A model that executes a workflow: it reads the transcript and answers with the calls of the next steps. Any process can resume a run
 * from its journal, because what the model keeps of a run is a cache. With it, a turn costs the same after ten steps and after 10,000.
 */
export function createWorkflowModel({ workflow, run, definition }: WorkflowModelOptions): Model {
  const kept = new WeakMap<object, Reached>()
  return {
    provider: PROVIDER,
    id: workflow.name,
    info: { pricing: FREE },
    async *stream(request, { signal }) {
      signal?.throwIfAborted()
      const { runId, before, answer } = answerTo(request)
      if ('calls' in answer) {
        for (const call of answer.calls) yield toToolCall(call, { run: runId, before })
      } else {
        if (run.depth === 0) yield { type: 'text.delta', text: toText(answer.result) }
        yield toToolCall(
          { step: 'end', tool: STEP_TOOLS.end, input: { ...answer } as unknown as Json },
          { run: runId, before },
        )
      }
      yield { type: 'finish', reason: 'tool-calls' }
    },
  }

  function answerTo(request: ModelRequest): Answer {
    const mark = markOf(request)
    const { run: runId } = mark
    const { progress, places } = advance(kept.get(mark), request.messages, runId)
    kept.set(mark, { progress, places })
    if ((progress.definition ?? workflow.fingerprint) !== workflow.fingerprint) {
      const detail =
        'was changed since the run started. Finish the run with its original definition, or cancel it and start a new run'
      throw new ParleyError({ code: 'config-invalid', path: `workflows.${workflow.name}`, detail })
    }
    const walk: Walk = { outcomeOf: step => progress.outcomes.get(step), places, limit: parallelLimitOf(definition) }
    const at = startOf(request, progress)
    let outcome = walkPlan(run.plan, at, walk)
    if (outcome.type === 'failed') outcome = applyPolicy(run.policy, { ...at, ...outcome }, walk)
    if (outcome.type === 'failed') {
      const { step, code: cause, detail } = outcome.failure
      throw new ParleyError({ code: 'step-failed', workflow: workflow.name, step, cause, detail })
    }
    const { before } = progress
    if (outcome.type === 'pending') return { runId, before, answer: { calls: outcome.calls } }
    const { value: result, noted: failures } = outcome
    return { runId, before, answer: { status: failures.length === 0 ? 'success' : 'partial', result, failures } }
  }

  /**
   * Returns the step that the run starts at, and the run's values: the workflow's inputs, or those of the step that
   * started the child run.
   */
  function startOf({ system }: ModelRequest, { input }: Progress): { readonly id: string; readonly scope: Scope } {
    const given: unknown = JSON.parse(system[0]?.text ?? '{}')
    const variables = isObject(given) ? given : {}
    if (run.depth > 0) {
      const { at, scope } = variables
      return { id: typeof at === 'string' ? at : '', scope: new Map(Object.entries(isObject(scope) ? scope : {})) }
    }
    const values = Object.entries(definition.inputs ?? {}).map(([name, { default: value = null }]): [string, Json] => [
      name,
      Object.hasOwn(variables, name) ? (variables[name] ?? null) : value,
    ])
    return { id: '', scope: new Map([['input', input], ...values]) }
  }

  function toToolCall(
    { step, tool, input }: StepCall,
    { run: runId, before }: { run: string; before: number },
  ): ModelEvent {
    return {
      type: 'tool-call',
      callId: callIdOf(step, before),
      name: tool,
      arguments: JSON.stringify(input),
      providerData: toCallMark({ run: runId, definition: workflow.fingerprint, step }),
    }
  }
}

/**
 * A workflow model costs nothing, but cost limits require a price. A sum of costs keeps the oldest date, so this date
 * never appears in one.
 */
const FREE: ModelPricing = { input: 0, output: 0, source: 'no model is called', date: '9999-12-31' }

interface Answer {
  readonly runId: string
  readonly before: number
  readonly answer: WorkflowResult | { readonly calls: readonly StepCall[] }
}

/** What the model keeps of a run: how far it has read the transcript and walked the plan. */
interface Reached {
  readonly progress: Progress
  readonly places: Places
}

/** Reads the messages that were not read yet. Starts over if the transcript does not continue the one that was read. */
function advance(known: Reached | undefined, messages: readonly Message[], runId: string): Reached {
  const isKnown = known !== undefined && continues(known.progress, messages)
  const reached = isKnown ? known : { progress: createProgress(), places: createPlaces() }
  readTranscript(reached.progress, messages, runId)
  return reached
}

/** Reads the run's id, which the workflow's middleware adds to the request: one object for all requests of a driven run. */
function markOf({ settings }: ModelRequest): { readonly run: string } {
  const mark = settings.providerOptions?.[PROVIDER]
  if (isMark(mark)) return mark
  throw new ParleyError({
    code: 'internal',
    detail: 'A workflow model was called without its middleware. Run the agent that defineWorkflow returns.',
  })
}

function isMark(mark: Readonly<Record<string, Json>> | undefined): mark is { readonly run: string } {
  return typeof mark?.['run'] === 'string'
}
