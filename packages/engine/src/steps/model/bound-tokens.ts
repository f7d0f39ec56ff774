import { ParleyError, totalTokens, type ErrorInfo, type ModelRequest, type QuotaTotal, type Usage } from '@parley/core'
import type { RunContext } from '../../run-context/run-context.ts'

/** Reads the totals of the agent's quotas. Empty if none of them limits a total. */
export async function readTotals({ agent, facts, clock, runtime }: RunContext): Promise<readonly QuotaTotal[]> {
  const holders = agent.quotas.filter(({ counts }) => counts)
  if (holders.length === 0) return []
  const keys = holders.map(holder => holder.keyAt(clock.now(), facts))
  return (await (runtime.store?.quotas ?? runtime.processQuotas)?.totals(keys)) ?? []
}

/**
 * Limits the answer of a request to the tokens that the quotas leave. The size of the input is known from the previous call,
 * if the transcript has only grown since then.
 * @param totals The result of `readTotals`.
 * @throws ParleyError `quota-exceeded` if the quotas leave no tokens.
 */
export function boundTokens(run: RunContext, request: ModelRequest, totals: readonly QuotaTotal[]): ModelRequest {
  const { lastCall } = run.prompt
  const input = lastCall !== undefined && request.messages.length > lastCall.messages ? lastCall.tokens : 0
  const unread = [...totals]
  let left = Infinity
  for (const holder of run.agent.quotas) {
    const { owner, quota, counts } = holder
    const { maxTokensPerTurn } = quota
    const total = counts ? unread.shift() : undefined
    if (total !== undefined) holder.checkTotal(total, run.facts)
    if (maxTokensPerTurn === undefined) continue
    if (input >= maxTokensPerTurn) {
      throw new ParleyError({
        code: 'quota-exceeded',
        quota: 'maxTokensPerTurn',
        owner,
        max: maxTokensPerTurn,
        value: input,
      })
    }
    left = Math.min(left, maxTokensPerTurn - input)
  }
  if (left >= (request.settings.maxOutputTokens ?? Infinity)) return request
  return { ...request, settings: { ...request.settings, maxOutputTokens: left } }
}

/**
 * Stores the tokens of a finished call, for the bound of the next call. Returns the error if the call exceeded a quota: its
 * answer must not be used.
 */
export function countTokens(run: RunContext, request: ModelRequest, usage: Usage): ErrorInfo | undefined {
  const value = totalTokens(usage)
  run.prompt.lastCall = { tokens: value, messages: request.messages.length }
  let broken: ErrorInfo | undefined
  for (const holder of run.agent.quotas) {
    const max = holder.quota.maxTokensPerTurn ?? Infinity
    if (value > max) {
      broken ??= { code: 'quota-exceeded', quota: 'maxTokensPerTurn', owner: holder.owner, max, value }
    }
  }
  return broken
}
