import type { RunStatus } from '@parley/core'

/** The filters of the list of runs, as the address of the page holds them. */
export interface RunListView {
  readonly status?: RunStatus | undefined
  readonly agent?: string | undefined
  readonly session?: string | undefined
  readonly text?: string | undefined
  /** How far back, for example `24h`. */
  readonly since?: SincePeriod | undefined
  /** Whether child runs are shown. */
  readonly children?: boolean | undefined
}

export const PERIODS = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000, '30d': 2_592_000_000 } as const
export type SincePeriod = keyof typeof PERIODS

export const STATUSES = [
  'running',
  'suspended',
  'completed',
  'limit',
  'cancelled',
  'rejected',
  'failed',
] as const satisfies readonly RunStatus[]

/** Reads the filters from an address. What is invalid is left out. */
export function readRunFilters(search: Record<string, unknown>): RunListView {
  const { status, since, children } = search
  return {
    ...(STATUSES.includes(status as RunStatus) ? { status: status as RunStatus } : {}),
    ...(typeof since === 'string' && since in PERIODS ? { since: since as SincePeriod } : {}),
    ...(children === true ? { children } : {}),
    ...textOf(search, 'agent'),
    ...textOf(search, 'session'),
    ...textOf(search, 'text'),
  }
}

function textOf<TName extends string>(search: Record<string, unknown>, name: TName): { [K in TName]?: string } {
  const value = search[name]
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return (text === '' ? {} : { [name]: text }) as { [K in TName]?: string }
}
