import type { InferSchema, JsonSchemaObject, Schema } from '@parley/core'
import type { Agent } from './agent.ts'
import { checkAgent } from './check-agent.ts'

/**
 * Checks an agent's definition and returns it unchanged.
 * @throws ParleyError `config-invalid` with the path of the field that is invalid.
 */
export function defineAgent<const TSchema extends Schema = JsonSchemaObject>(
  agent: Agent & { readonly output?: TSchema | undefined },
): Agent<InferSchema<TSchema>> {
  checkAgent(agent)
  // Only the compiler knows the type that the schema infers.
  return agent as Agent<InferSchema<TSchema>>
}
