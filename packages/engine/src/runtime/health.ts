import type { ErrorCode, ErrorInfo } from '@parley/core'

/** How a runtime is. */
export interface Health {
  /** Whether it starts runs. */
  readonly alive: boolean
  /** Runs under way in this process, those that wait for a place left out. */
  readonly activeRuns: number
  readonly queuedRuns: number
  /** Absent until a model has been called. */
  readonly lastModelCall?: LastModelCall
  readonly store: 'ok' | 'none' | { readonly error: ErrorInfo }
  /** Absent without a bus. */
  readonly bus?: BusHealth | { readonly error: ErrorInfo }
}

export interface LastModelCall {
  /** When it was over, ms since the epoch. */
  readonly at: number
  readonly status: 'success' | { readonly error: ErrorCode }
}

export interface BusHealth {
  readonly subscribers: number
  /** Events that wait, over all subscribers. */
  readonly backlog: number
  readonly deadLetters: number
}
