import type { ContextPolicy } from '@parley/core'
import { droppingPolicy } from '@parley/core/context'
import type { ResolvedAgent } from '../resolve-agent.ts'
import { CountMemo } from './count-memo.ts'
import { defaultTokenCounter, loadTokenizer } from './default-token-counter.ts'

/** How an agent's runs keep what they send within bounds. */
export interface AgentContext {
  readonly policy: ContextPolicy
  readonly counts: CountMemo
  /** Tokens a call should stay within; undefined while the model's window is unknown. */
  readonly budget: number | undefined
  /** Loads what the counter needs; undefined when it has all. */
  readonly load: () => Promise<void> | undefined
}

/** The window is for input and output together, and counts are estimates: a fifth of it is left free. */
const SHARE = 0.8
/** For agents that name no policy: `slidingWindow()` of `@parley/context-policies`. */
const DEFAULT_POLICY = droppingPolicy('sliding-window', { maxMessages: 100 })

/** Undefined for an agent that wants no context policy. */
export function prepareContext(agent: ResolvedAgent): AgentContext | undefined {
  return agent.context === 'none' ? undefined : toContext(agent, agent.context)
}

/** What counts the context of an agent, also of one that wants no policy. */
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

/** Tokens a call of this agent should stay within; undefined while its model's window is unknown. */
export function contextBudget(agent: ResolvedAgent): number | undefined {
  const { settings } = agent
  const contextWindow = contextWindowOf(agent)
  if (contextWindow === undefined) return undefined
  const withoutAnswer = contextWindow - (settings?.maxOutputTokens ?? 0)
  return Math.max(1, Math.floor(Math.min(contextWindow * SHARE, withoutAnswer)))
}

/** Tokens of input and output together: what the agent says, or else its model. */
export function contextWindowOf({ contextWindow, model }: ResolvedAgent): number | undefined {
  return contextWindow ?? model.info.contextWindow
}
