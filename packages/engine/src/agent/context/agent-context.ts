import type { ContextPolicy } from '@parley/core'
import { droppingPolicy } from '@parley/core/context'
import type { ResolvedAgent } from '../resolve-agent.ts'
import { CountMemo } from './count-memo.ts'
import { defaultTokenCounter, loadTokenizer } from './default-token-counter.ts'

/** How the runs of an agent keep their requests within bounds. */
export interface AgentContext {
  readonly policy: ContextPolicy
  readonly counts: CountMemo
  /** Most tokens of a call. `undefined` while the model's window is unknown. */
  readonly budget: number | undefined
  /** Loads the tokenizer. `undefined` if nothing has to be loaded. */
  readonly load: () => Promise<void> | undefined
}

/** The share of the window that a call may fill. Counts are estimates, and the answer needs room too. */
const SHARE = 0.8
/** For agents that name no policy: `slidingWindow()` of `@parley/context-policies`. */
const DEFAULT_POLICY = droppingPolicy('sliding-window', { maxMessages: 100 })

/** `undefined` for an agent without a context policy. */
export function prepareContext(agent: ResolvedAgent): AgentContext | undefined {
  return agent.context === 'none' ? undefined : toContext(agent, agent.context)
}

/** Counts the context of an agent, also of an agent without a context policy. */
export function countedContext(agent: ResolvedAgent): AgentContext {
  return toContext(agent, agent.context === 'none' ? undefined : agent.context)
}

function toContext(agent: ResolvedAgent, policy: ContextPolicy = DEFAULT_POLICY): AgentContext {
  const { tokenCounter = defaultTokenCounter } = agent
  return {
    policy,
    counts: new CountMemo(tokenCounter),
    budget: contextBudget(agent),
    load: tokenCounter === defaultTokenCounter ? loadTokenizer : () => undefined,
  }
}

/** Most tokens of a call of this agent. `undefined` while its model's window is unknown. */
export function contextBudget(agent: ResolvedAgent): number | undefined {
  const { settings } = agent
  const contextWindow = contextWindowOf(agent)
  if (contextWindow === undefined) return undefined
  const withoutAnswer = contextWindow - (settings?.maxOutputTokens ?? 0)
  return Math.max(1, Math.floor(Math.min(contextWindow * SHARE, withoutAnswer)))
}

/** Tokens of input and output together, as the agent or else its model says. */
export function contextWindowOf({ contextWindow, model }: ResolvedAgent): number | undefined {
  return contextWindow ?? model.info.contextWindow
}
