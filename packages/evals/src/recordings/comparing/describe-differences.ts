import { cutText } from '@parley/core'
import type { Difference } from './diff-json.ts'

/** Differences that are shown. The others are counted. */
const MAX_SHOWN = 6
const MAX_LENGTH = 240

/**
 * Writes differences as text: the place, then the line before (`-`) and after (`+`). The text of a changed line is shown from shortly
 * before the first change.
 */
export function describeDifferences(differences: readonly Difference[]): string {
  const shown = differences.slice(0, MAX_SHOWN).map(describe)
  const rest = differences.length - shown.length
  return [...shown, ...(rest > 0 ? [`  … and ${rest} more`] : [])].join('\n')
}

function describe({ path, line, before, after }: Difference): string {
  const place = `  ${path}${line === undefined ? '' : `, line ${line}`}:`
  const from = typeof before === 'string' && typeof after === 'string' ? commonStart(before, after) : 0
  return [place, ...mark('-', before, from), ...mark('+', after, from)].join('\n')
}

function mark(sign: string, value: unknown, from: number): readonly string[] {
  if (value === undefined) return []
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return [`    ${sign} ${from > 0 ? '…' : ''}${cutText(text.slice(from), MAX_LENGTH)}`]
}

/** Where to begin to show two long texts, so that their first difference is visible. */
function commonStart(before: string, after: string): number {
  let same = 0
  while (same < before.length && before[same] === after[same]) same += 1
  return same > MAX_LENGTH / 2 ? same - 40 : 0
}
