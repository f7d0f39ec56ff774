import type { JsonOf, Tool, ToolOutcome } from '@parley/core'
import type { Agent } from '@parley/engine'
import type { Workflow } from '../definition/workflow.ts'
import type { DataValue, Seeing, TypeScope, ValueAt } from './values.ts'

/** What the compiler knows of the parts that steps name. */
export interface Parts {
  /** The agents, or their names. */
  readonly agent: Agent | string
  readonly tool: unknown
  readonly workflow: Workflow
  /** Failure policy of steps that set none. */
  readonly policy: unknown
}

/** The scope in which a workflow begins. A run may set an input to any data. */
export type InputScope<TInputs> = Seeing<
  { readonly input: string; readonly results: unknown },
  { readonly [TKey in keyof TInputs]: unknown }
>

/** The type of the result of a workflow. */
export type WorkflowOutput<TWorkflow extends Workflow, TParts extends Parts> = TWorkflow extends {
  readonly output: infer TOutput
}
  ? DataValue<TOutput, ScopeAfter<TWorkflow['steps'], InputScope<TWorkflow['inputs']>, OwnPolicy<TWorkflow, TParts>>>
  : LastOutput<TWorkflow['steps'], InputScope<TWorkflow['inputs']>, OwnPolicy<TWorkflow, TParts>>

/** The parts for the steps of a workflow. */
export type OwnPolicy<TWorkflow, TParts extends Parts> = WithPolicy<
  TParts,
  TWorkflow extends { readonly onFailure: infer TPolicy } ? TPolicy : 'fail'
>

/** The parts for steps under another failure policy. */
export type WithPolicy<TParts extends Parts, TPolicy> = Omit<TParts, 'policy'> & { readonly policy: TPolicy }

/** The type of the last output of steps. `unknown` if their number is unknown. */
export type LastOutput<TSteps, TScope, TParts extends Parts, TLast = null> = TSteps extends readonly [
  infer TFirst,
  ...infer TOthers,
]
  ? OutputOf<TFirst, TScope, TParts> extends infer TOutput
    ? LastOutput<TOthers, After<TScope, TFirst, TOutput>, TParts, TOutput>
    : never
  : TSteps extends readonly []
    ? TLast
    : unknown

/** The values that can be used after steps. */
export type ScopeAfter<TSteps, TScope, TParts extends Parts> = TSteps extends readonly [infer TFirst, ...infer TOthers]
  ? ScopeAfter<TOthers, After<TScope, TFirst, OutputOf<TFirst, TScope, TParts>>, TParts>
  : TSteps extends readonly []
    ? TScope
    : TypeScope

/** Adds the output of a step to a scope. */
export type After<TScope, TStep, TOutput> = Seeing<
  TScope,
  { readonly result: TOutput } & (TStep extends { readonly name: infer TName extends string }
    ? { readonly [TKey in `steps.${TName}`]: TOutput }
    : unknown)
>

/** The type of a step's output, as later steps read it. */
export type OutputOf<TStep, TScope, TParts extends Parts> =
  PolicyOf<TStep, TParts> extends infer TPolicy
    ? TPolicy extends 'continue'
      ? OwnOutput<TStep, TScope, TParts, null> | null
      : TPolicy extends { readonly run: infer TSteps }
        ? OwnOutput<TStep, TScope, TParts, never> | LastOutput<TSteps, Rescue<TScope>, WithPolicy<TParts, 'fail'>>
        : TPolicy extends 'fail'
          ? OwnOutput<TStep, TScope, TParts, never>
          : unknown
    : never

export type PolicyOf<TStep, TParts extends Parts> = TStep extends { readonly onFailure: infer TPolicy }
  ? TPolicy
  : TParts['policy']

/** The scope of the steps that replace a failed step, or of those after a rejection. */
export type Rescue<TScope> = Seeing<TScope, { readonly reason: string }>

/** The scope of the steps of a `map`. */
export type ItemScope<TStep, TScope> = TStep extends { readonly over: infer TPath extends string }
  ? Seeing<
      TScope,
      {
        readonly [TKey in TStep extends { readonly as: infer TAs extends string } ? TAs : 'item']: ItemAt<TScope, TPath>
      } & { readonly index: number }
    >
  : TypeScope

type ItemAt<TScope, TPath extends string> =
  ValueAt<TScope, TPath> extends infer TList
    ? unknown extends TList
      ? unknown
      : Exclude<TList, null> extends readonly (infer TItem)[]
        ? TItem
        : unknown
    : never

/** The scope of the steps of a `repeat`: the first one reads the output of the round before. */
export type RoundScope<TSteps, TScope, TParts extends Parts> =
  LastOutput<TSteps, Seeing<TScope, { readonly result: BeforeFirst<TScope> }>, TParts> extends infer TOutput
    ? Seeing<TScope, { readonly result: TOutput | BeforeFirst<TScope> }>
    : never

type BeforeFirst<TScope> = TScope extends { readonly result: infer TResult } ? TResult : null

/** `TFailed` is the output of a branch that failed. */
type OwnOutput<TStep, TScope, TParts extends Parts, TFailed> = TStep extends { readonly type: 'agent' }
  ? AgentOutput<TStep, TParts['agent']>
  : TStep extends { readonly type: 'tool'; readonly tool: infer TName }
    ? ToolOutput<TParts['tool'], TName>
    : TStep extends { readonly type: 'sequence'; readonly steps: infer TSteps }
      ? TStep extends { readonly output: infer TOutput }
        ? DataValue<TOutput, ScopeAfter<TSteps, TScope, TParts>>
        : LastOutput<TSteps, TScope, TParts>
      : TStep extends { readonly type: 'parallel'; readonly steps: infer TSteps }
        ? TSteps extends readonly [unknown, ...unknown[]]
          ? { -readonly [TKey in keyof TSteps]: OutputOf<TSteps[TKey], TScope, TParts> | TFailed }
          : unknown[]
        : TStep extends { readonly type: 'if'; readonly steps: infer TSteps }
          ? LastOutput<TSteps, TScope, TParts> | ElseOutput<TStep, TScope, TParts>
          : TStep extends { readonly type: 'map'; readonly steps: infer TSteps }
            ? Reduced<TStep, LastOutput<TSteps, ItemScope<TStep, TScope>, TParts>, TFailed>
            : TStep extends { readonly type: 'repeat'; readonly steps: infer TSteps }
              ? LastOutput<TSteps, RoundScope<TSteps, TScope, TParts>, TParts>
              : TStep extends { readonly type: 'workflow'; readonly workflow: infer TName }
                ? NamedOutput<TParts['workflow'], TName, TParts>
                : unknown

type AgentOutput<TStep, TAgent> = TStep extends { readonly output: object }
  ? unknown
  : TStep extends { readonly agent: infer TName }
    ? Known<TAgent extends Agent<infer TOutput, infer TOwn> ? (TName extends TOwn ? { is: TOutput } : never) : never>
    : unknown

type ToolOutput<TTool, TName> = Known<
  TTool extends Tool<never, infer TOutput, infer TOwn>
    ? TName extends TOwn
      ? { is: Exclude<TOutput, ToolOutcome> }
      : never
    : never
>

/** `unknown` for a part that was not found, and for one whose output has no known type. */
type Known<TFound> = [TFound] extends [never]
  ? unknown
  : TFound extends { is: infer TOutput }
    ? unknown extends TOutput
      ? unknown
      : [TOutput] extends [never]
        ? unknown
        : JsonOf<TOutput>
    : never

type ElseOutput<TStep, TScope, TParts extends Parts> = TStep extends { readonly else: infer TSteps }
  ? LastOutput<TSteps, TScope, TParts>
  : null

type Reduced<TStep, TOutput, TFailed> = TStep extends { readonly reduce: infer TReduce }
  ? TReduce extends 'first'
    ? TOutput
    : TReduce extends 'majority'
      ? TOutput | null
      : (TOutput | TFailed)[]
  : (TOutput | TFailed)[]

type NamedOutput<TWorkflow, TName, TParts extends Parts> = TWorkflow extends Workflow
  ? string extends TWorkflow['name']
    ? unknown
    : TName extends TWorkflow['name']
      ? WorkflowOutput<TWorkflow, TParts>
      : never
  : never
