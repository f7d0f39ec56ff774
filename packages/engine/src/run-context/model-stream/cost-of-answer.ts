import { costOf, type Cost, type ModelInfo } from '@parley/core'
import type { AnswerBuilder } from './answer-builder.ts'

/**
 * The cost of an answer: as the provider reports it, else by the model's prices. `undefined` if neither is known, or if the
 * provider reported no usage: an unknown count is not zero.
 */
export function costOfAnswer(
  { usage, counted, costUsd }: Pick<AnswerBuilder, 'usage' | 'counted' | 'costUsd'>,
  { pricing }: ModelInfo,
  now: number,
): Cost | undefined {
  if (costUsd !== undefined) return { usd: costUsd, pricedAt: new Date(now).toISOString().slice(0, 10) }
  return pricing === undefined || !counted ? undefined : costOf(usage, pricing)
}
