import type { PromptyMessage } from '../format/prompty-message.ts'
import { parseSegments, type RichSegment } from './parse-segments.ts'
import { toThread } from './to-rich-value.ts'

export interface ParseMessagesOptions {
  /** Conversations by the marker that stands for them in the text. @default none */
  readonly threads?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Makes messages of text that is rendered already and wholly trusted: every line that looks like a role marker is one. Use
 * `prepare` to render and parse at once, which keeps values from posing as roles.
 * @throws ParleyError `config-invalid` for a conversation that is none.
 */
export function parseMessages(text: string, { threads = {} }: ParseMessagesOptions = {}): readonly PromptyMessage[] {
  let segments: readonly RichSegment[] = [{ kind: 'literal', text }]
  for (const [marker, messages] of Object.entries(threads)) {
    const rich: RichSegment = { kind: 'rich', value: { type: 'thread', messages: toThread(messages, marker) } }
    segments = segments.flatMap(segment => (segment.kind === 'rich' ? [segment] : splitAt(segment.text, marker, rich)))
  }
  return parseSegments(segments)
}

function splitAt(text: string, marker: string, between: RichSegment): readonly RichSegment[] {
  return text
    .split(marker)
    .flatMap((piece, index): RichSegment[] =>
      index === 0 ? [{ kind: 'literal', text: piece }] : [between, { kind: 'literal', text: piece }],
    )
}
