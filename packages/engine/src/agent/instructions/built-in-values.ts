import { systemClock, type Json } from '@parley/core'
import type { BuiltInVariable } from './prompt-template.ts'

/** Where the values of a template come from. */
export interface RenderContext {
  /** Values of the template's variables. @default none */
  readonly variables?: Readonly<Record<string, Json>> | undefined
  /** Value of `agent_id`: the agent's name. @default empty */
  readonly agentId?: string | undefined
  /** Value of `runtime_id`: the `worker` of the runtime. @default empty */
  readonly runtimeId?: string | undefined
  /** Names of the tools for `available_tools`. @default none */
  readonly availableTools?: readonly string[] | undefined
  /** Start of the run for `current_time`, in milliseconds since the epoch. @default the machine's time */
  readonly startedAt?: number | undefined
}

/** Returns the values of the built-in variables. */
export function builtInValues({
  variables = {},
  agentId = '',
  runtimeId = '',
  availableTools = [],
  startedAt = systemClock.now(),
}: RenderContext): Readonly<Record<BuiltInVariable, string>> {
  return {
    current_time: `${new Date(startedAt).toISOString().slice(0, 19)}Z`,
    agent_id: agentId,
    runtime_id: runtimeId,
    available_tools: JSON.stringify(availableTools),
    user_variables: JSON.stringify(variables),
  }
}
