import type { InferSchema, JsonSchemaObject, Schema, Tool, ToolSource } from '@parley/core'
import type { Agent } from './agent.ts'
import { checkAgent } from './check-agent.ts'
import type { ContextOf, KnownTool } from './agent-types.ts'

/** What `defineAgent` takes: an agent, whose types it infers. */
export interface AgentDefinition<
  TSchema extends Schema,
  TName extends string,
  TTools extends readonly (Tool | ToolSource | string)[],
  THandoffs extends readonly (string | Agent)[],
> extends Agent<unknown, TName> {
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
>(
  agent: AgentDefinition<TSchema, TName, TTools, THandoffs>,
): Agent<InferSchema<TSchema>, TName, KnownTool<TTools, THandoffs>, ContextOf<TTools>> {
  checkAgent(agent)
  // Only the compiler knows the types.
  return agent as Agent<InferSchema<TSchema>, TName, KnownTool<TTools, THandoffs>, ContextOf<TTools>>
}
