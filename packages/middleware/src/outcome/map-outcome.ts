import { toolError, toolOk, type ErrorInfo, type ToolOutcome, type ToolResultPart } from '@parley/core'
import { mapStrings } from '../json/map-strings.ts'

/** Rewrites every text of a result: its content, its data and its error. What has no result passes as it is. */
export function mapOutcome(outcome: ToolOutcome, rewrite: (text: string) => string): ToolOutcome {
  if (outcome.type === 'ok') {
    const structured = mapStrings(outcome.structured, rewrite)
    return toolOk(mapContent(outcome.content, rewrite), structured)
  }
  if (outcome.type !== 'error') return outcome
  const { retryable, metadata, error } = outcome
  return toolError(mapContent(outcome.content, rewrite), {
    retryable,
    metadata: mapStrings(metadata, rewrite),
    error: error === undefined ? undefined : mapError(error, rewrite),
  })
}

function mapContent(content: readonly ToolResultPart[], rewrite: (text: string) => string): readonly ToolResultPart[] {
  return content.map(part => (part.type === 'text' ? { ...part, text: rewrite(part.text) } : part))
}

/** Names stay: they are what the failure is found by. */
function mapError(error: ErrorInfo, rewrite: (text: string) => string): ErrorInfo {
  const { code, ...fields } = error
  const entries = Object.entries(fields).map(([key, value]) => [
    key,
    key === 'tool' ? value : mapStrings(value, rewrite),
  ])
  return { code, ...Object.fromEntries(entries) } as ErrorInfo
}
