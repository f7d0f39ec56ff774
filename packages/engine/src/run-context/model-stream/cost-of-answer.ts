import { costOf, type Cost, type ModelInfo } from '@parley/core'
import type { AnswerBuilder } from './answer-builder.ts'

/**
 * Returns the cost of an answer: the one that the provider reports, else the one from the model's prices. Returns
 * `undefined` if neither is known. An answer without reported usage has no known cost either, because an unknown count
 * of tokens is not zero.
 */
export function costOfAnswer(
  { usage, counted, costUsd }: Pick<AnswerBuilder, 'usage' | 'counted' | 'costUsd'>,
  { pricing }: ModelInfo,
  now: number,
): Cost | undefined {
  if (costUsd !== undefined) return { usd: costUsd, pricedAt: new Date(now).toISOString().slice(0, 10) }
  return pricing === undefined || !counted ? undefined : costOf(usage, pricing)
}
