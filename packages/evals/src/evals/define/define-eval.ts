import { checkCount, checkNumber, checkOptions, refuseOption, type OptionKinds } from '@parley/core'
import type { EvalData } from '../data/eval-case.ts'
import type { Scorer } from '../scorers/scorer.ts'
import type { Task } from './task.ts'

/** An eval, as `defineEval` takes it. */
export interface EvalDefinition<TInput = unknown, TOutput = unknown, TExpected = unknown> {
  /** Letters, digits, `-` and `_`. Names the file of its results. */
  readonly name: string
  /** The cases, or a function that loads them: `readJsonl`, `readCsv`, `readPinnedRuns`, or your own. */
  readonly data: EvalData<TInput, TExpected>
  /** Makes the output of a case: `agentTask(agent)`, or a function. */
  readonly task: Task<NoInfer<TInput>, TOutput>
  readonly scorers: readonly Scorer<NoInfer<TInput>, NoInfer<TOutput>, NoInfer<TExpected>>[]
  /** How often each case is tried. Its score is the mean. @default 1 */
  readonly trials?: number | undefined
  /** Largest number of trials that run at the same time. @default 4 */
  readonly concurrency?: number | undefined
  /** US dollars after which no further trial starts. Trials that run then still finish. @default unlimited */
  readonly maxCost?: number | undefined
}

/** An eval: cases, a task that answers them, and scorers that judge the answers. Plain data. */
export interface Eval<TInput = unknown, TOutput = unknown, TExpected = unknown> extends EvalDefinition<
  TInput,
  TOutput,
  TExpected
> {
  /** Marks what `parley eval` finds among the exports of a file. */
  readonly kind: 'parley-eval'
}

const DEFINITION: OptionKinds<EvalDefinition> = {
  name: 'string!',
  data: 'list or function!',
  task: 'function!',
  scorers: 'list!',
  trials: 'number',
  concurrency: 'number',
  maxCost: 'number',
}

/**
 * Defines an eval. `parley eval` runs every export of a file `*.eval.ts` that this function made; `runEval` runs it in a program.
 * @throws ParleyError `config-invalid` if a field is unknown, missing or invalid, or if two scorers have the same name.
 */
export function defineEval<TInput, TOutput, TExpected = undefined>(
  definition: EvalDefinition<TInput, TOutput, TExpected>,
): Eval<TInput, TOutput, TExpected> {
  checkOptions('defineEval', definition, DEFINITION)
  const { name, scorers, trials, concurrency, maxCost } = definition
  if (!/^[A-Za-z0-9_-]{1,50}$/.test(name))
    refuseOption('defineEval.name', `is '${name}'; must be 1 to 50 of the characters A-Z a-z 0-9 _ -`)
  const path = `evals.${name}`
  checkCount({ trials, concurrency }, path)
  if (maxCost !== undefined) checkNumber({ path: `${path}.maxCost`, value: maxCost, min: 0 })
  if (scorers.length === 0) refuseOption(`${path}.scorers`, 'is empty; an eval needs at least one scorer')
  const names = scorers.map(scorer => scorer.name)
  const twice = names.find((each, index) => names.indexOf(each) !== index)
  if (twice !== undefined) refuseOption(`${path}.scorers`, `two are named '${twice}'; give one of them a \`name\``)
  return { ...definition, kind: 'parley-eval' }
}

/** Whether a value was made by `defineEval`, of any copy of this package. */
export function isEval(value: unknown): value is Eval {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'parley-eval'
}
