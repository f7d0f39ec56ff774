import type { Store } from '@parley/core'
import type { Agent } from '@parley/engine'
import { defineWorkflow } from '@parley/workflow'
import type { EvalCase } from '../data/eval-case.ts'
import type { Eval } from '../define/define-eval.ts'
import { createScoreStep, createTaskStep } from './trial-steps.ts'

/** The workflow of a trial: run the task, then score its output. Each step is durable when it has ended. */
export function createTrialAgent(
  { name, task, scorers }: Eval,
  { cases, store }: { readonly cases: ReadonlyMap<string, EvalCase>; readonly store: Store },
): Agent {
  const parts = { cases, task, scorers, store }
  const given = { case: '{{case}}', trial: '{{trial}}' }
  return defineWorkflow(
    {
      name: `eval-${name}-trial`,
      inputs: { case: {}, trial: {} },
      steps: [
        { type: 'tool', name: 'task', tool: 'run_task', input: given },
        { type: 'tool', name: 'scores', tool: 'score_output', input: { ...given, task: '{{steps.task.output}}' } },
      ],
      output: { task: '{{steps.task.output}}', scores: '{{steps.scores.output}}' },
      limits: { maxTokens: Number.MAX_SAFE_INTEGER },
    },
    { tools: [createTaskStep(parts), createScoreStep(parts)] },
  )
}
