import type { FinishReason } from '@parley/core'

const REASONS: Readonly<Record<string, FinishReason>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content-filter',
  RECITATION: 'content-filter',
  LANGUAGE: 'content-filter',
  BLOCKLIST: 'content-filter',
  PROHIBITED_CONTENT: 'content-filter',
  SPII: 'content-filter',
  MODEL_ARMOR: 'content-filter',
  IMAGE_SAFETY: 'content-filter',
  IMAGE_PROHIBITED_CONTENT: 'content-filter',
  IMAGE_RECITATION: 'content-filter',
  MALFORMED_FUNCTION_CALL: 'error',
  MALFORMED_RESPONSE: 'error',
}

/** Converts a finish reason. Gemini sends `STOP` for answers and for tool calls. */
export function fromGeminiFinish(reason: string, hasCalls: boolean): FinishReason {
  const known = REASONS[reason] ?? 'other'
  return known === 'stop' && hasCalls ? 'tool-calls' : known
}
