import type { Tool, ToolSource } from '@parley/core'
import type { Agent } from './agent.ts'

/**
 * The tools of an agent, for the types of its runs' events. Any tool if the names of some are unknown: those of tool sources, and
 * those of agents that may continue the run.
 */
export type KnownTool<
  TTools extends readonly (Tool | ToolSource | string)[],
  THandoffs extends readonly (string | Agent)[],
> = THandoffs extends readonly [] ? NamedTool<TTools[number]> : Tool

type NamedTool<TGiven extends Tool | ToolSource | string> = TGiven extends string
  ? Tool<unknown, unknown, TGiven>
  : TGiven extends Tool
    ? TGiven
    : Tool

/** The context that all these tools can read. `unknown` if none says what it reads. */
export type ContextOf<TTools extends readonly unknown[]> = TTools extends readonly [infer TFirst, ...infer TOthers]
  ? ReadContext<TFirst> & ContextOf<TOthers>
  : unknown

type ReadContext<TGiven> = TGiven extends { execute: (input: never, context: infer TContext) => unknown }
  ? TContext extends { readonly run: { readonly context: infer TRead } }
    ? TRead
    : unknown
  : unknown

/** The agent with a name, of those that a runtime was created with. `Agent` for any other name. */
export type AgentNamed<TAgent extends Agent, TName extends string> = [Named<TAgent, TName>] extends [never]
  ? Agent
  : Named<TAgent, TName>

type Named<TAgent extends Agent, TName extends string> = TAgent extends Agent
  ? TName extends TAgent['name']
    ? TAgent
    : never
  : never

/** The types of an agent. */
export type TypesOf<TAgent extends Agent> =
  TAgent extends Agent<infer TOutput, string, infer TTool, infer TContext>
    ? { readonly output: TOutput; readonly tool: TTool; readonly context: TContext }
    : never
