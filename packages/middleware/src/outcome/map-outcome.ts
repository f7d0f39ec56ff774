import { toolError, toolOk, type ErrorInfo, type ToolOutcome, type ToolResultPart } from '@parley/core'
import { mapStrings } from '@parley/core/masking'

/** Rewrites every text of a tool's outcome: content, structured data and error. Returns the outcome itself if nothing changes. */
export function mapOutcome(outcome: ToolOutcome, rewrite: (text: string) => string): ToolOutcome {
  if (outcome.type === 'ok') {
    const content = mapContent(outcome.content, rewrite)
    const structured = mapStrings(outcome.structured, rewrite)
    return content === outcome.content && structured === outcome.structured ? outcome : toolOk(content, structured)
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
  let changed = false
  const parts = content.map(part => {
    if (part.type !== 'text') return part
    const text = rewrite(part.text)
    if (text === part.text) return part
    changed = true
    return { ...part, text }
  })
  return changed ? parts : content
}

/** Rewrites the texts of an error, except the code and the tool's name, which identify the failure. */
function mapError(error: ErrorInfo, rewrite: (text: string) => string): ErrorInfo {
  const { code, ...fields } = error
  const entries = Object.entries(fields).map(([key, value]) => [
    key,
    key === 'tool' ? value : mapStrings(value, rewrite),
  ])
  return { code, ...Object.fromEntries(entries) } as ErrorInfo
}
