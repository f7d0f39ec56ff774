import type { InferSchema, JsonSchemaObject, Schema, Tool, ToolSource } from '@parley/core'
import type { Agent } from './agent.ts'
import type { Instructions, InstructionsFunction } from './instructions/instructions.ts'
import { checkAgent } from './check-agent.ts'
import type { ContextOf, KnownTool } from './types-of-agents.ts'

/** What `defineAgent` takes: an agent, whose types it infers. */
export interface AgentDefinition<
  TSchema extends Schema,
  TName extends string,
  TTools extends readonly (Tool | ToolSource | string)[],
  THandoffs extends readonly (string | Agent)[],
  TContext,
> extends Omit<Agent<unknown, TName>, 'instructions'> {
  /**
   * Instructions for the model, before the conversation. A function of the run says what context it reads:
   * `({ context }: RunWith<{ userId: string }>) => …`. It is called when a run begins with the agent, or is handed over to it; the
   * journal keeps its text. @default none
   */
  readonly instructions?: Exclude<Instructions, InstructionsFunction> | InstructionsFunction<TContext> | undefined
  readonly tools?: TTools | undefined
  readonly handoffs?: THandoffs | undefined
  readonly output?: TSchema | undefined
}

/**
 * Checks an agent's definition and returns it unchanged.
 * @throws ParleyError `config-invalid` with the path of the field that is invalid.
 */
export function defineAgent<
  const TSchema extends Schema = JsonSchemaObject,
  const TName extends string = string,
  const TTools extends readonly (Tool | ToolSource | string)[] = readonly [],
  const THandoffs extends readonly (string | Agent)[] = readonly [],
  TContext = ContextOf<TTools>,
>(
  agent: AgentDefinition<TSchema, TName, TTools, THandoffs, TContext>,
): Agent<InferSchema<TSchema>, TName, KnownTool<TTools, THandoffs>, ContextOf<TTools> & TContext> {
  // Only the compiler knows the types.
  const typed = agent as Agent<unknown, TName> as Agent<
    InferSchema<TSchema>,
    TName,
    KnownTool<TTools, THandoffs>,
    ContextOf<TTools> & TContext
  >
  checkAgent(typed)
  return typed
}
