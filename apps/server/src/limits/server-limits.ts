import { ParleyError } from '@parley/core'

/** What one server puts up with. */
export interface ServerLimits {
  /** Of a request's body. @default 8 MiB */
  readonly maxBodyBytes: number
  /** How deep JSON may nest. @default 64 */
  readonly maxJsonDepth: number
  /** Runs at once. @default 1_000 */
  readonly maxRuns: number
  /** Runs at once of one scope. @default as `maxRuns` */
  readonly maxRunsPerScope: number
  /** Requests a key may make in a minute, also all at once. @default 6_000; no limit for a server without keys */
  readonly requestsPerMinute: number
  /** Characters of a stream that are kept for readers who come again; older events are sent from the journal. @default 4_000_000 */
  readonly maxReplayChars: number
  /** Ended streams that are kept for such readers. @default 64 */
  readonly maxKeptStreams: number
}

const DEFAULTS = {
  maxBodyBytes: 8 * 1024 * 1024,
  maxJsonDepth: 64,
  maxRuns: 1_000,
  maxReplayChars: 4_000_000,
  maxKeptStreams: 64,
} as const

/** @throws ParleyError `config-invalid` for a limit that is no whole number above 0. */
export function toServerLimits(given: Partial<ServerLimits>, hasKeys: boolean): ServerLimits {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === Infinity || (Number.isInteger(value) && value > 0)) continue
    throw new ParleyError({ code: 'config-invalid', path: `limits.${name}`, detail: 'must be a whole number above 0' })
  }
  const { maxRuns = DEFAULTS.maxRuns } = given
  return {
    ...DEFAULTS,
    maxRunsPerScope: maxRuns,
    requestsPerMinute: hasKeys ? 6_000 : Infinity,
    ...given,
  }
}
