import type { AgentSnapshot, Limits } from '@parley/core'
import { withoutUndefined } from './without-undefined.ts'

/** Limits in a journal. JSON has no infinity, so no limit is the text `unlimited`. */
type KeptLimits = AgentSnapshot['limits']

/** Returns the limits as a journal keeps them. */
export function keepLimits(limits: Limits): KeptLimits {
  const given = Object.entries(withoutUndefined(limits))
  return Object.fromEntries(given.map(([name, max]) => [name, Number.isFinite(max) ? max : 'unlimited']))
}

/** Returns the limits that a journal keeps. */
export function readLimits(kept: KeptLimits): Limits {
  const given = Object.entries(withoutUndefined(kept))
  return Object.fromEntries(given.map(([name, max]) => [name, max === 'unlimited' ? Infinity : max]))
}
