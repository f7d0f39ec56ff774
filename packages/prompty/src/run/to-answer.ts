import { ParleyError, type ErrorInfo } from '@parley/core'
import type { PromptyAgent } from '../format/prompty-agent.ts'

/** An answer's text as what the file promises: data where it has outputs, else the text. Text that is no JSON stays text. */
export function toAnswer({ outputs }: PromptyAgent, text: string): unknown {
  if (outputs.length === 0) return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** A foreseen failure in the format's own words. */
export function failureWith(info: ErrorInfo, message: string): ParleyError {
  const error = new ParleyError(info)
  error.message = message
  return error
}

/** The failure of a model that refused in the middle of a stream. */
export function refusal(provider: string, model: string, text: string): ParleyError {
  return failureWith({ code: 'model-content-filter', provider, model, detail: text }, `Model refused: ${text}`)
}
