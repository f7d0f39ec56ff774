import type { ContextPolicy } from '@parley/core'
import { droppingPolicy } from '@parley/core/context'
import type { ResolvedAgent } from '../resolve-agent.ts'
import { CountMemo } from './count-memo.ts'
import { defaultTokenCounter, loadTokenizer } from './default-token-counter.ts'

/** How the runs of an agent keep their requests within bounds. */
export interface AgentContext {
  readonly policy: ContextPolicy
  readonly counts: CountMemo
  /** Whether no message has more tokens than its size, `messageSize`. */
  readonly boundBySize: boolean
  /** Largest number of tokens in one call. `undefined` if the model's window is unknown. */
  readonly budget: number | undefined
  /** Loads the tokenizer. `undefined` if nothing has to be loaded. */
  readonly load: () => Promise<void> | undefined
}

/** The share of the window that a call may fill. Counts are estimates, and the answer needs room too. */
const SHARE = 0.8
/** The policy of agents that set none. It does the same as `slidingWindow()` of `@parley/context-policies`. */
const DEFAULT_POLICY = droppingPolicy('sliding-window', { maxMessages: 100 })

/** The fields of an agent that its context depends on, besides its policy. */
export type ContextAgent = Pick<ResolvedAgent, 'model' | 'contextWindow' | 'settings' | 'tokenCounter'>

/** Returns the context of an agent with its policy, or `undefined` for an agent without a context policy. */
export function prepareContext(agent: ResolvedAgent): AgentContext | undefined {
  return agent.context === 'none' ? undefined : toContext(agent, agent.context)
}

/** Returns a context that counts tokens, even for an agent without a context policy. */
export function countedContext(agent: ResolvedAgent): AgentContext {
  return toContext(agent, agent.context === 'none' ? undefined : agent.context)
}

/** Returns a context with this policy. */
export function toContext(agent: ContextAgent, policy: ContextPolicy = DEFAULT_POLICY): AgentContext {
  const { tokenCounter = defaultTokenCounter } = agent
  return {
    policy,
    counts: new CountMemo(tokenCounter),
    boundBySize: tokenCounter === defaultTokenCounter,
    budget: contextBudget(agent),
    load: tokenCounter === defaultTokenCounter ? loadTokenizer : () => undefined,
  }
}

/** Returns the largest number of tokens in one call of this agent. `undefined` if its model's window is unknown. */
export function contextBudget(agent: ContextAgent): number | undefined {
  const { settings } = agent
  const contextWindow = contextWindowOf(agent)
  if (contextWindow === undefined) return undefined
  const withoutAnswer = contextWindow - (settings?.maxOutputTokens ?? 0)
  return Math.max(1, Math.floor(Math.min(contextWindow * SHARE, withoutAnswer)))
}

/** Returns the context window: the one that the agent sets, otherwise that of its model. */
export function contextWindowOf({
  contextWindow,
  model,
}: Pick<ResolvedAgent, 'contextWindow' | 'model'>): number | undefined {
  return contextWindow ?? model.info.contextWindow
}
