import { readFileSync } from 'node:fs'
import type { PiiSpan } from '../pii-span.ts'

/** A line, and what is personal in it. */
export interface LabelledLine {
  readonly text: string
  readonly spans: readonly PiiSpan[]
}

/** Lines in which what is personal is marked as `«kind:value»`; most of the others look as if something were. */
export function labelledLines(): readonly LabelledLine[] {
  const file = readFileSync(new URL('labelled-lines.txt', import.meta.url), 'utf8')
  return file.trimEnd().split('\n').map(parse)
}

function parse(line: string): LabelledLine {
  const spans: PiiSpan[] = []
  let text = ''
  for (const piece of line.split(/(«[a-z]+:[^»]+»)/)) {
    const [, kind, value] = /^«([a-z]+):([^»]+)»$/.exec(piece) ?? []
    if (kind !== undefined && value !== undefined) {
      spans.push({ kind: kind as PiiSpan['kind'], start: text.length, end: text.length + value.length })
    }
    text += value ?? piece
  }
  return { text, spans }
}
