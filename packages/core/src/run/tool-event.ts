import type { Tool } from '../tool/tool.ts'
import type { ToolOutcome } from '../tool/tool-outcome.ts'
import type { ToolMessage } from '../schema/message.ts'
import type { Json } from '../schema/json.ts'
import type { JsonOf } from '../schema/json-of.ts'
import type { RunEvent, RunEventOf } from './run-event.ts'

/**
 * An event of a run whose tools are known. A comparison of the event's `name` with the name of a tool narrows the types of its
 * input and its result.
 */
export type RunEventWith<TTool extends Tool> = string extends TTool['name'] ? RunEvent : TypedEvent<TTool>

type TypedEvent<TTool extends Tool> =
  | Exclude<RunEvent, { type: 'tool.started' | 'tool.ended' }>
  | ToolStarted<TTool>
  | ToolEnded<TTool>
  | (RunEventOf<'tool.started' | 'tool.ended'> & { readonly name: OtherToolName })

/** A tool starts. */
type ToolStarted<TTool extends Tool> =
  TTool extends Tool<infer TInput, unknown, infer TName>
    ? Omit<RunEventOf<'tool.started'>, 'name' | 'input'> & { readonly name: TName; readonly input: JsonOf<TInput> }
    : never

/** A tool call has its result. */
type ToolEnded<TTool extends Tool> =
  TTool extends Tool<never, infer TOutput, infer TName>
    ? Omit<RunEventOf<'tool.ended'>, 'name' | 'message'> & {
        readonly name: TName
        readonly message: ToolMessageOf<TName, ResultOf<TOutput>>
      }
    : never

/** The result of a tool for the model, and as data. */
export interface ToolMessageOf<TName extends string, TResult> extends Omit<ToolMessage, 'name' | 'structured'> {
  readonly name: TName
  /** The result as data, of a call that succeeded: of a tool with an `output` schema, or the second argument of `toolOk`. */
  readonly structured?: TResult | undefined
}

/** The data of a tool's result. A text is not data. */
type ResultOf<TOutput> = [Exclude<TOutput, ToolOutcome | string>] extends [never]
  ? Json
  : JsonOf<Exclude<TOutput, ToolOutcome | string>>

/**
 * Stands for the name of a tool that is not among the tools of the agent: one of the engine, or of a child run. No tool has this
 * name. It is a literal type because a comparison with the name of a tool does not narrow `string`.
 */
export type OtherToolName = '(other tool)'
