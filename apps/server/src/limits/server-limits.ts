import { ParleyError } from '@parley/core'

/** Limits of one server process. `Infinity` turns a limit off. */
export interface ServerLimits {
  /** Largest request body, in bytes. @default 8 MiB */
  readonly maxBodyBytes: number
  /** Deepest nesting of JSON in a request body. @default 64 */
  readonly maxJsonDepth: number
  /** Maximum number of concurrent runs. Further requests get 503. @default 1_000 */
  readonly maxRuns: number
  /** Maximum number of concurrent runs of one scope. Further requests get 429. @default `maxRuns` */
  readonly maxRunsPerScope: number
  /**
   * Maximum number of requests a minute for each key. A burst may use all of them. Further requests get 429. @default 6_000;
   * `Infinity` on a server without keys
   */
  readonly requestsPerMinute: number
  /**
   * Maximum number of characters of each stream that the server keeps in memory for readers that reconnect. Older events come
   * from the journal. @default 4_000_000
   */
  readonly maxReplayChars: number
  /** Maximum number of ended streams that the server keeps in memory for readers that reconnect. @default 64 */
  readonly maxKeptStreams: number
}

const DEFAULTS = {
  maxBodyBytes: 8 * 1024 * 1024,
  maxJsonDepth: 64,
  maxRuns: 1_000,
  maxReplayChars: 4_000_000,
  maxKeptStreams: 64,
} as const

/** Adds the defaults. @throws ParleyError `config-invalid` if a limit is neither a positive integer nor `Infinity`. */
export function toServerLimits(given: Partial<ServerLimits>, hasKeys: boolean): ServerLimits {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === Infinity || (Number.isInteger(value) && value > 0)) continue
    throw new ParleyError({ code: 'config-invalid', path: `limits.${name}`, detail: 'must be a positive integer' })
  }
  const { maxRuns = DEFAULTS.maxRuns } = given
  return {
    ...DEFAULTS,
    maxRunsPerScope: maxRuns,
    requestsPerMinute: hasKeys ? 6_000 : Infinity,
    ...given,
  }
}
