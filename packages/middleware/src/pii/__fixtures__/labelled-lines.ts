import { readFileSync } from 'node:fs'
import type { PiiSpan } from '@parley/core/masking'

/** A line and the personal data in it. */
export interface LabelledLine {
  readonly text: string
  readonly spans: readonly PiiSpan[]
}

/** Reads lines in which personal data is marked as `«kind:value»`. Most of the other lines hold look-alikes. */
export function labelledLines(): readonly LabelledLine[] {
  const file = readFileSync(new URL('labelled-lines.txt', import.meta.url), 'utf8')
  return file.trimEnd().split('\n').map(parseLine)
}

/** Reads lines that are written by hand for one context each. `⏎` is a line break. */
export function handWrittenLines(): readonly LabelledLine[] {
  const file = readFileSync(new URL('hand-written-lines.txt', import.meta.url), 'utf8')
  return file.trimEnd().split('\n').map(line => parseLine(line.replaceAll('⏎', '\n')))
}

/** Reads a text in which personal data is marked as `«kind:value»`. */
export function parseLine(line: string): LabelledLine {
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
