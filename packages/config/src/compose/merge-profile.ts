import type { KeyPath } from '../config.ts'
import type { AgentData, ProfileData } from '../schema/agent-schema.ts'

/** An agent with what its profile says, and where each of it is written. */
export interface MergedAgent {
  readonly data: Omit<AgentData, 'profile'>
  keyOf(field: keyof ProfileData): KeyPath
}

/** The agent's own word counts; of `settings`, `limits` and `retry`, one by one. */
export function mergeProfile(name: string, agent: AgentData, profile: ProfileData = {}): MergedAgent {
  const { profile: from, ...own } = agent
  const settings = merged(profile.settings, own.settings)
  const limits = merged(profile.limits, own.limits)
  const retry = merged(profile.retry, own.retry)
  return {
    data: { ...profile, ...own, ...(settings && { settings }), ...(limits && { limits }), ...(retry && { retry }) },
    keyOf: field =>
      own[field] === undefined && from !== undefined && profile[field] !== undefined
        ? ['profiles', from, field]
        : ['agents', name, field],
  }
}

function merged<TFields extends object>(base: TFields | undefined, own: TFields | undefined): TFields | undefined {
  return base === undefined || own === undefined ? (own ?? base) : { ...base, ...own }
}
