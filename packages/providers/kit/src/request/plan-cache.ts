import type { CacheSetting } from '@parley/core'

/** The places of a request that get a cache mark. The server caches the prompt up to each mark. */
export interface CachePlan {
  /** Whether the last tool is marked. */
  readonly tools: boolean
  /** Whether the last stable instruction is marked. */
  readonly system: boolean
  /** Indexes of the turns whose last block is marked. */
  readonly turns: readonly number[]
}

export interface CacheFacts {
  readonly hasTools: boolean
  readonly hasStableSystem: boolean
  readonly hasVolatileSystem: boolean
  /** Whether each turn, in order, is a turn of the user. */
  readonly userTurns: readonly boolean[]
  /** Number of marks that may be set: the provider's maximum minus the marks that the user has set elsewhere. */
  readonly room: number
}

/**
 * Decides where a request is marked, for providers that cache only marked prompts. The cached prefix contains tools,
 * then instructions, then messages. Two places among the messages are marked: their end, and the end of the previous
 * call, which the server has already cached. Volatile instructions precede the messages, so they change the key of
 * every such cache entry. If there are volatile instructions, `auto` therefore marks no messages.
 */
export function planCache(setting: CacheSetting, facts: CacheFacts): CachePlan {
  const { hasTools, hasStableSystem, hasVolatileSystem, userTurns, room } = facts
  const chosen = typeof setting === 'object' ? setting : {}
  const { system = true, tools = true, messages = !hasVolatileSystem } = chosen
  const last = userTurns.length - 1
  const before = userTurns.lastIndexOf(true, last - 1)
  // Ordered by benefit: if there are too few marks, the last places lose theirs.
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
