import type { Tool } from '@parley/core'
import type { Workflow } from '../definition/workflow.ts'
import type {
  After,
  InputScope,
  ItemScope,
  OutputOf,
  OwnPolicy,
  Parts,
  Rescue,
  RoundScope,
  ScopeAfter,
  WithPolicy,
} from './output-of.ts'
import type { CheckData, CheckText, Problem, ValueAt } from './values.ts'

/**
 * A workflow with a `Problem` at each reference that does not exist, and at each value whose type does not fit the tool that
 * receives it. A workflow of the type `Workflow` stays as it is: the compiler does not know its steps.
 */
export type CheckedWorkflow<TWorkflow extends Workflow, TParts extends Parts> = Workflow extends TWorkflow
  ? unknown
  : CheckedFields<TWorkflow, TParts>

type CheckedFields<TWorkflow extends Workflow, TParts extends Parts> = {
  [TKey in keyof TWorkflow]: TKey extends 'steps'
    ? CheckSteps<TWorkflow['steps'], InputScope<TWorkflow['inputs']>, OwnPolicy<TWorkflow, TParts>>
    : TKey extends 'output'
      ? CheckData<
          TWorkflow[TKey],
          unknown,
          ScopeAfter<TWorkflow['steps'], InputScope<TWorkflow['inputs']>, OwnPolicy<TWorkflow, TParts>>
        >
      : TWorkflow[TKey]
}

type CheckSteps<TSteps, TScope, TParts extends Parts, TDone extends readonly unknown[] = []> = TSteps extends readonly [
  infer TFirst,
  ...infer TOthers,
]
  ? CheckSteps<
      TOthers,
      After<TScope, TFirst, OutputOf<TFirst, TScope, TParts>>,
      TParts,
      [...TDone, CheckStep<TFirst, TScope, TParts>]
    >
  : TSteps extends readonly []
    ? Readonly<TDone>
    : TSteps

type CheckStep<TStep, TScope, TParts extends Parts> = {
  [TKey in keyof TStep]: CheckField<TStep, TKey, TScope, TParts>
}

type CheckField<TStep, TKey extends keyof TStep, TScope, TParts extends Parts> = TKey extends 'prompt'
  ? CheckText<TStep[TKey], TScope>
  : TKey extends 'input'
    ? CheckData<TStep[TKey], InputOf<TParts['tool'], TStep>, TScope>
    : TKey extends 'variables' | 'inputs'
      ? CheckData<TStep[TKey], unknown, TScope>
      : TKey extends 'condition'
        ? CheckCondition<TStep[TKey], TScope>
        : TKey extends 'over'
          ? CheckList<TStep[TKey], TScope>
          : TKey extends 'onFailure'
            ? CheckPolicy<TStep[TKey], TScope, TParts>
            : CheckInner<TStep, TKey, TScope, TParts>

/** The fields whose steps and values see another scope than the step itself. */
type CheckInner<TStep, TKey extends keyof TStep, TScope, TParts extends Parts> = TKey extends 'steps'
  ? CheckInnerSteps<TStep, TStep[TKey], TScope, TParts>
  : TKey extends 'else' | 'onTimeout'
    ? CheckSteps<TStep[TKey], TScope, TParts>
    : TKey extends 'onRejected'
      ? CheckSteps<TStep[TKey], Rescue<TScope>, TParts>
      : TKey extends 'until'
        ? TStep extends { readonly steps: infer TSteps }
          ? CheckCondition<TStep[TKey], ScopeAfter<TSteps, RoundScope<TSteps, TScope, TParts>, TParts>>
          : never
        : TKey extends 'output'
          ? TStep extends { readonly type: 'sequence'; readonly steps: infer TSteps }
            ? CheckData<TStep[TKey], unknown, ScopeAfter<TSteps, TScope, TParts>>
            : TStep[TKey]
          : TStep[TKey]

type CheckInnerSteps<TStep, TSteps, TScope, TParts extends Parts> = TStep extends { readonly type: 'parallel' }
  ? TSteps extends readonly [unknown, ...unknown[]]
    ? { [TKey in keyof TSteps]: CheckStep<TSteps[TKey], TScope, TParts> }
    : TSteps
  : TStep extends { readonly type: 'map' }
    ? CheckSteps<TSteps, ItemScope<TStep, TScope>, TParts>
    : TStep extends { readonly type: 'repeat' }
      ? CheckSteps<TSteps, RoundScope<TSteps, TScope, TParts>, TParts>
      : CheckSteps<TSteps, TScope, TParts>

/** The type of the input of the tool that a step names. `unknown` if the compiler does not know the tool. */
type InputOf<TTool, TStep> = TStep extends { readonly tool: infer TName }
  ? [FoundInput<TTool, TName>] extends [never]
    ? unknown
    : FoundInput<TTool, TName>
  : unknown

type FoundInput<TTool, TName> =
  TTool extends Tool<infer TInput, unknown, infer TOwn> ? (TName extends TOwn ? TInput : never) : never

type CheckList<TPath, TScope> = TPath extends string
  ? ValueAt<TScope, TPath> extends infer TList
    ? unknown extends TList
      ? TPath
      : TList extends Problem<string>
        ? TList
        : Exclude<TList, null> extends readonly unknown[]
          ? TPath
          : Problem<`'${TPath}' is not a list`>
    : never
  : TPath

type CheckCondition<TCondition, TScope> = TCondition extends { readonly variable: infer TPath extends string }
  ? ValueAt<TScope, TPath> extends Problem<infer TProblem>
    ? unknown extends ValueAt<TScope, TPath>
      ? TCondition
      : { readonly variable: Problem<TProblem> }
    : TCondition
  : TCondition extends { readonly literal: unknown }
    ? TCondition
    : TCondition extends object
      ? { [TKey in keyof TCondition]: CheckCondition<TCondition[TKey], TScope> }
      : TCondition

type CheckPolicy<TPolicy, TScope, TParts extends Parts> = TPolicy extends { readonly run: infer TSteps }
  ? { readonly run: CheckSteps<TSteps, Rescue<TScope>, WithPolicy<TParts, 'fail'>> }
  : TPolicy
