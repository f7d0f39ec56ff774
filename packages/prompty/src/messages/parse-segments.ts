import type { Json } from '@parley/core'
import type { Segment } from '../template/segment-writer.ts'
import type { PromptyMessage, PromptyPart, PromptyRole } from '../format/prompty-message.ts'
import { readRoleMarker, type RoleMarker } from '../format/role-marker.ts'

/** The value of a rich input: a conversation, or a part of a message. */
export type RichValue =
  | { readonly type: 'thread'; readonly messages: readonly PromptyMessage[] }
  | { readonly type: 'part'; readonly part: PromptyPart }
  | { readonly type: 'none' }

/** Rendered text, with rich values instead of their markers. */
export type RichSegment = Pick<Segment, 'kind' | 'text'> | { readonly kind: 'rich'; readonly value: RichValue }

interface Draft {
  readonly role: PromptyRole
  readonly attributes: Readonly<Record<string, Json>>
  /** Whether a role marker started it. */
  readonly marked: boolean
  readonly pieces: (string | RichValue)[]
}

/**
 * Parses messages from rendered text. A line starts a message only if the whole line comes from the template. Text that comes
 * from a value is always content.
 */
export function parseSegments(segments: readonly RichSegment[]): readonly PromptyMessage[] {
  const drafts: Draft[] = []
  let draft: Draft = { role: 'system', attributes: {}, marked: false, pieces: [] }
  const begin = (marker: RoleMarker): void => {
    drafts.push(draft)
    draft = { ...marker, marked: true, pieces: [] }
  }
  // The unfinished line. It can be a marker only if the rest of it comes from the template too.
  let open = ''
  let inert = false
  const endLine = (): void => {
    const marker = inert || open === '' ? undefined : markerIn(open)
    if (marker !== undefined) begin(marker)
    else if (open !== '') draft.pieces.push(open)
    open = ''
    inert = false
  }
  for (const segment of segments) {
    if (segment.kind !== 'literal') {
      if (open !== '') draft.pieces.push(open)
      open = ''
      inert = true
      draft.pieces.push(segment.kind === 'rich' ? segment.value : segment.text)
      continue
    }
    const { text } = segment
    const lineEnd = text.indexOf('\n')
    if (lineEnd < 0) {
      open += text
      continue
    }
    open += text.slice(0, lineEnd + 1)
    endLine()
    open = readLines(text, lineEnd + 1, { begin, keep: piece => draft.pieces.push(piece) })
  }
  endLine()
  drafts.push(draft)
  return drafts.flatMap(toMessages)
}

interface LineReader {
  readonly begin: (marker: RoleMarker) => void
  readonly keep: (text: string) => void
}

/** Reads whole lines of the template. Returns the text after the last line end. */
function readLines(text: string, start: number, { begin, keep }: LineReader): string {
  let kept = start
  let from = start
  for (let end = text.indexOf('\n', from); end >= 0; end = text.indexOf('\n', from)) {
    const marker = mayBeMarker(text, from, end) ? markerIn(text.slice(from, end)) : undefined
    if (marker !== undefined) {
      if (from > kept) keep(text.slice(kept, from))
      begin(marker)
      kept = end + 1
    }
    from = end + 1
  }
  if (from > kept) keep(text.slice(kept, from))
  return text.slice(from)
}

/** Returns whether a line ends with a colon, as every marker does. This cheap test saves most lines a copy. */
function mayBeMarker(text: string, from: number, end: number): boolean {
  let last = end - 1
  while (last >= from && (text[last] === ' ' || text[last] === '\t' || text[last] === '\r')) last--
  return last >= from && text[last] === ':'
}

function markerIn(line: string): RoleMarker | undefined {
  return readRoleMarker(line.replace(/\r?\n$/, ''))
}

/** Turns a draft into messages. A conversation inside a draft ends one message, and the text after it starts another. */
function toMessages(draft: Draft): readonly PromptyMessage[] {
  const messages: PromptyMessage[] = []
  const hasThread = draft.pieces.some(piece => typeof piece !== 'string' && piece.type === 'thread')
  let parts: PromptyPart[] = []
  let text: string[] = []
  const endText = (): void => {
    if (text.length > 0) parts.push({ kind: 'text', value: text.join('') })
    text = []
  }
  const endMessage = (): void => {
    endText()
    const message = toMessage(draft, parts, hasThread)
    if (message !== undefined) messages.push(message)
    parts = []
  }
  for (const piece of draft.pieces) {
    if (typeof piece === 'string') text.push(piece)
    else if (piece.type === 'part') {
      endText()
      parts.push(piece.part)
    } else if (piece.type === 'thread') {
      endMessage()
      messages.push(...piece.messages)
    }
  }
  endMessage()
  return messages
}

function toMessage(
  { role, attributes, marked }: Draft,
  parts: readonly PromptyPart[],
  split: boolean,
): PromptyMessage | undefined {
  const content = trimParts(parts, split)
  const isBlank = content.every(part => part.kind === 'text' && part.value.trim() === '')
  // A marker without content is still a message, unless a conversation replaced its content.
  if (isBlank && (split || !marked)) return undefined
  const metadata = Object.keys(attributes).length === 0 ? {} : { metadata: attributes }
  return { role, content: content.length === 0 ? [{ kind: 'text', value: '' }] : content, ...metadata }
}

/** Removes line ends from both ends of the parts. Next to a conversation, it removes all white space. */
function trimParts(parts: readonly PromptyPart[], split: boolean): readonly PromptyPart[] {
  const last = parts.length - 1
  return parts
    .map((part, index) => {
      if (part.kind !== 'text') return part
      let { value } = part
      if (split) return { ...part, value: value.trim() }
      if (index === 0) value = value.slice(leadingLineEnds(value))
      if (index === last) value = value.slice(0, value.length - trailingLineEnds(value))
      return { ...part, value }
    })
    .filter(part => part.kind !== 'text' || part.value !== '')
}

function leadingLineEnds(text: string): number {
  let count = 0
  while (text[count] === '\n' || text[count] === '\r') count++
  return count
}

function trailingLineEnds(text: string): number {
  let count = 0
  while (count < text.length && (text.at(-1 - count) === '\n' || text.at(-1 - count) === '\r')) count++
  return count
}
