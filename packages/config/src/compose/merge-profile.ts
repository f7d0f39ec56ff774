import type { KeyPath } from '../schema/config.ts'
import type { AgentData, ProfileData } from '../schema/agent-schema.ts'

/** An agent merged with its profile. */
export interface MergedAgent {
  readonly data: Omit<AgentData, 'profile'>
  /** Where a field is written: in the agent or in the profile. */
  keyOf(field: keyof ProfileData): KeyPath
}

/** Merges an agent with its profile. The agent's fields override the profile's; `settings`, `limits` and `retry` merge field by field. */
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
