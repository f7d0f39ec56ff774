import { holdsSecret, type AgentSnapshot, type Json, type ModelSettings } from '@parley/core'
import type { AgentContext } from './context/agent-context.ts'
import type { PreparedInstructions } from './instructions/instructions.ts'
import type { ResolvedAgent } from './resolve-agent.ts'
import { keepLimits } from './kept-limits.ts'

/** The parts of a prepared agent that its snapshot describes. */
interface Described {
  readonly definition: ResolvedAgent
  readonly instructions: PreparedInstructions
  readonly context: AgentContext | undefined
}

/** Settings that a snapshot keeps. A list of what is kept, so that a later setting with a secret is not kept by mistake. */
const KEPT: Readonly<Record<Exclude<keyof ModelSettings, 'providerOptions' | 'output'>, true>> = {
  maxOutputTokens: true,
  temperature: true,
  topP: true,
  topK: true,
  frequencyPenalty: true,
  presencePenalty: true,
  toolChoice: true,
  stopSequences: true,
  seed: true,
  thinking: true,
  cache: true,
  parallelToolCalls: true,
}
/**
 * Largest number of characters of instructions in a snapshot. Each run stores them, so longer ones would make every
 * journal large.
 */
const MOST_CHARS = 4_000

/** Returns a function that describes an agent, but not its secrets. All runs of the agent share the first result. */
export function snapshotOf(agent: Described): () => AgentSnapshot {
  let snapshot: AgentSnapshot | undefined
  return () => (snapshot ??= frozen(describe(agent)))
}

/** Freezes a snapshot and its parts, because readers of all runs receive the same object. */
function frozen(snapshot: AgentSnapshot): AgentSnapshot {
  for (const part of Object.values(snapshot)) Object.freeze(part)
  return Object.freeze(snapshot)
}

function describe({ definition, instructions: { source }, context }: Described): AgentSnapshot {
  const { settings = {}, limits = {}, onLimit = 'stop', tools, handoffs = [] } = definition
  const kept = Object.entries(settings).filter(([name, value]) => name in KEPT && value !== undefined)
  const sources = tools.flatMap(tool => ('tools' in tool ? [tool.name] : []))
  const effects = tools.flatMap(tool => ('tools' in tool ? [] : [[tool.name, tool.effect ?? 'once'] as const]))
  return {
    // A copy: the user may change the objects of the definition.
    settings: structuredClone(Object.fromEntries(kept)) as Record<string, Json>,
    limits: keepLimits(limits),
    onLimit,
    tools: Object.fromEntries(effects),
    ...(sources.length === 0 ? {} : { toolSources: sources }),
    ...(handoffs.length === 0 ? {} : { handoffs: handoffs.map(to => (typeof to === 'string' ? to : to.name)) }),
    ...(source === '' ? {} : { instructions: instructionsOf(source) }),
    ...(context === undefined ? {} : { context: context.policy.name }),
  }
}

function instructionsOf(text: string): NonNullable<AgentSnapshot['instructions']> {
  const digest = digestOf(text)
  return text.length > MOST_CHARS || holdsSecret(text) ? { digest } : { digest, text }
}

/**
 * Returns a digest: 64 bits of FNV-1a with two seeds. The digests of the platform are asynchronous, but a run starts
 * synchronously.
 */
function digestOf(text: string): string {
  let [high, low] = [0x811c9dc5, 0x01000193]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 0x01000193)
    low = Math.imul(low ^ unit, 0x85ebca6b) ^ (low >>> 13)
  }
  return [high, low].map(half => (half >>> 0).toString(16).padStart(8, '0')).join('')
}
