import type { UsageField } from '@parley/core'

export const SPEND_PERIODS = { today: 1, '7d': 7, '30d': 30, '90d': 90 } as const
export type SpendPeriod = keyof typeof SPEND_PERIODS

/** What the page of costs shows, as its address holds it. */
export interface SpendView {
  readonly by?: UsageField | undefined
  readonly period?: SpendPeriod | undefined
}

/** Reads the view from an address. What is invalid is left out. */
export function readSpendView({ by, period }: Record<string, unknown>): SpendView {
  return {
    ...(by === 'agent' || by === 'model' || by === 'day' ? { by } : {}),
    ...(typeof period === 'string' && period in SPEND_PERIODS ? { period: period as SpendPeriod } : {}),
  }
}
