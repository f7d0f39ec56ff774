import type { CacheSetting } from '@parley/core'

/** Which places of a request get a mark, up to which the server keeps the prompt. */
export interface CachePlan {
  readonly tools: boolean
  /** On the last stable instruction. */
  readonly system: boolean
  /** Numbers of the turns whose last block is marked. */
  readonly turns: readonly number[]
}

export interface CacheFacts {
  readonly hasTools: boolean
  readonly hasStableSystem: boolean
  readonly hasVolatileSystem: boolean
  /** Whether each turn is the user's, in order. */
  readonly userTurns: readonly boolean[]
  /** Marks there is room for: what the provider takes, less what the caller has set by other ways. */
  readonly room: number
}

/**
 * Decides where a request is marked for caching, for providers that want to be told. The prefix runs tools,
 * instructions, messages. Of the messages, the end is marked, and the end of what the call before had sent: that is what
 * the server has. Volatile instructions stand before the messages and would change the key of each such entry, so
 * `auto` marks no messages then.
 */
export function planCache(setting: CacheSetting, facts: CacheFacts): CachePlan {
  const { hasTools, hasStableSystem, hasVolatileSystem, userTurns, room } = facts
  const chosen = typeof setting === 'object' ? setting : {}
  const { system = true, tools = true, messages = !hasVolatileSystem } = chosen
  const last = userTurns.length - 1
  const before = userTurns.lastIndexOf(true, last - 1)
  // Most worth first: what is cut when the marks run out is at the end.
  const wanted = [
    messages && last >= 0 ? last : undefined,
    system && hasStableSystem ? ('system' as const) : undefined,
    tools && hasTools ? ('tools' as const) : undefined,
    messages && last > 0 && before >= 0 ? before : undefined,
  ].filter(place => place !== undefined)
  const granted = setting === 'off' ? [] : wanted.slice(0, Math.max(room, 0))
  return {
    tools: granted.includes('tools'),
    system: granted.includes('system'),
    turns: granted.filter(place => typeof place === 'number'),
  }
}
