import type { Json } from '@parley/core'

type Detail = Record<string, Json>

/** Joins streamed reasoning details. Consecutive pieces of the same type and index become one detail. */
export function mergeReasoningDetails(pieces: readonly unknown[]): Detail[] {
  const merged: Detail[] = []
  for (const piece of pieces) {
    if (typeof piece !== 'object' || piece === null) continue
    const detail = piece as Detail
    const last = merged.at(-1)
    if (last === undefined || !isContinued(last, detail)) {
      merged.push({ ...detail })
      continue
    }
    for (const [field, value] of Object.entries(detail)) {
      const before = last[field]
      const grows = field === 'text' || field === 'summary'
      if (grows && typeof before === 'string' && typeof value === 'string') last[field] = before + value
      else if (value !== null) last[field] = value
    }
  }
  return merged
}

function isContinued(last: Detail, next: Detail): boolean {
  const isText = next['type'] === 'reasoning.text' || next['type'] === 'reasoning.summary'
  return isText && last['type'] === next['type'] && last['index'] === next['index'] && !hasSignature(last)
}

function hasSignature({ signature }: Detail): boolean {
  return typeof signature === 'string' && signature !== ''
}
