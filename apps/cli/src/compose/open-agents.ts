import type { Tool, ToolSource } from '@parley/core'
import type { Agent, CloseOptions, RuntimeOptions } from '@parley/engine'

/** Agents, and how they are to be run. */
export interface OpenAgents {
  /** Who is asked: the one the flags name, else the first. */
  readonly agent: Agent
  readonly agents: readonly Agent[]
  /** What the agents have that also serves without a runtime. */
  readonly tools: readonly (Tool | ToolSource)[]
  /** @default none */
  readonly runtimeOptions?: RuntimeOptions | undefined
  /** @default none */
  readonly closeOptions?: CloseOptions | undefined
}
