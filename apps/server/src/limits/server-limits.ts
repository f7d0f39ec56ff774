import { ParleyError } from '@parley/core'

/** Limits of one server process. `Infinity` turns a limit off. */
export interface ServerLimits {
  /** Largest request body, in bytes. @default 8 MiB */
  readonly maxBodyBytes: number
  /** Deepest nesting of JSON in a request body. @default 64 */
  readonly maxJsonDepth: number
  /** Maximum number of concurrent runs. Further requests get 503. @default 1_000 */
  readonly maxRuns: number
  /**
   * Maximum number of concurrent runs of one scope. Further requests get 429.
   * @default half of `maxRuns`, so that no client takes every place; `maxRuns` on a server with one scope
   */
  readonly maxRunsPerScope: number
  /**
   * Maximum number of requests per minute for each key. A burst may use all of them. Further requests get 429.
   * @default 6_000; `Infinity` on a server without keys and tokens
   */
  readonly requestsPerMinute: number
  /**
   * Maximum number of characters of each stream that the server keeps in memory for readers that reconnect. A
   * completed text of the response does not count, because its events refer to the response and keep no copy. Events
   * dropped above the limit are read from the journal. @default 4_000_000
   */
  readonly maxReplayChars: number
  /** Maximum number of ended streams that the server keeps in memory for readers that reconnect. @default 64 */
  readonly maxKeptStreams: number
  /**
   * Maximum number of characters that all ended streams of the process keep in memory, for readers that reconnect and for readers
   * that are slow. Above it, the oldest streams are released, first those without a reader. The newest stays while it has a reader. A
   * reader of a released stream is cut and told where to resume. V8 lets the heap grow to about four times what is in use, so the
   * process needs a multiple of it. @default 32_000_000
   */
  readonly maxKeptChars: number
  /**
   * The same for the streams of one scope.
   * @default half of `maxKeptChars`; `maxKeptChars` on a server with one scope
   */
  readonly maxKeptCharsPerScope: number
}

const DEFAULTS = {
  maxBodyBytes: 8 * 1024 * 1024,
  maxJsonDepth: 64,
  maxRuns: 1_000,
  maxReplayChars: 4_000_000,
  maxKeptStreams: 64,
  maxKeptChars: 32_000_000,
} as const

export interface ServerClients {
  /** Whether the server accepts every client. */
  readonly isOpen: boolean
  /** Number of scopes that clients can have. */
  readonly scopeCount: number
}

/** Adds the defaults. @throws ParleyError `config-invalid` if a limit is neither a positive integer nor `Infinity`. */
export function toServerLimits(given: Partial<ServerLimits>, { isOpen, scopeCount }: ServerClients): ServerLimits {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === Infinity || (Number.isInteger(value) && value > 0)) continue
    throw new ParleyError({ code: 'config-invalid', path: `limits.${name}`, detail: 'must be a positive integer' })
  }
  const { maxRuns = DEFAULTS.maxRuns, maxKeptChars = DEFAULTS.maxKeptChars } = given
  const shareOf = (max: number): number => (scopeCount > 1 && max !== Infinity ? Math.ceil(max / 2) : max)
  return {
    ...DEFAULTS,
    maxRunsPerScope: shareOf(maxRuns),
    maxKeptCharsPerScope: shareOf(maxKeptChars),
    requestsPerMinute: isOpen ? Infinity : 6_000,
    ...given,
  }
}
