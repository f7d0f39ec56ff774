import { ParleyError, totalTokens, type ErrorInfo, type ModelRequest, type Usage } from '@parley/core'
import type { RunContext } from '../../run-context/run-context.ts'

/**
 * Limits the answer of a request to the tokens that the quotas leave. The size of the input is known from the previous call,
 * if the transcript has only grown since then.
 * @throws ParleyError `quota-exceeded` if the quotas leave no tokens.
 */
export function boundTokens(run: RunContext, request: ModelRequest): ModelRequest {
  const { lastCall } = run.prompt
  const input = lastCall !== undefined && request.messages.length > lastCall.messages ? lastCall.tokens : 0
  let left = Infinity
  for (const { quota, owner, tokens } of run.agent.quotas) {
    const { maxTotalTokens, maxTokensPerTurn } = quota
    if (maxTotalTokens !== undefined && tokens >= maxTotalTokens) {
      throw new ParleyError({
        code: 'quota-exceeded',
        quota: 'maxTotalTokens',
        owner,
        max: maxTotalTokens,
        value: tokens,
      })
    }
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

/** Counts the tokens of a call. Returns the quota that the call exceeded, if any: its answer must not be used. */
export function countTokens(run: RunContext, request: ModelRequest, usage: Usage): ErrorInfo | undefined {
  const value = totalTokens(usage)
  run.prompt.lastCall = { tokens: value, messages: request.messages.length }
  let broken: ErrorInfo | undefined
  for (const holder of run.agent.quotas) {
    holder.tokens += value
    const max = holder.quota.maxTokensPerTurn ?? Infinity
    if (value > max) {
      broken ??= { code: 'quota-exceeded', quota: 'maxTokensPerTurn', owner: holder.owner, max, value }
    }
  }
  return broken
}
