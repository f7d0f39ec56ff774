import { ParleyError, type ErrorInfo } from '@parley/core'
import type { PromptyAgent } from '../format/prompty-agent.ts'

/** Converts the text of an answer to data if the file has outputs. Invalid JSON stays text. */
export function toAnswer({ outputs }: PromptyAgent, text: string): unknown {
  if (outputs.length === 0) return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** An error with a message that the format prescribes. */
export function failureWith(info: ErrorInfo, message: string): ParleyError {
  const error = new ParleyError(info)
  error.message = message
  return error
}

/** The error of a streamed answer that the model refused. */
export function refusal(provider: string, model: string, text: string): ParleyError {
  return failureWith({ code: 'model-content-filter', provider, model, detail: text }, `Model refused: ${text}`)
}
