import { checkOptions, type OptionKinds } from '@parley/core'
import type { PromptyMessage } from '../format/prompty-message.ts'
import { parseSegments, type RichSegment } from './parse-segments.ts'
import { toThread } from './to-rich-value.ts'

/** Options of `parseMessages`. */
export interface ParseMessagesOptions {
  /** Conversations, by the marker that represents each in the text. @default none */
  readonly threads?: Readonly<Record<string, unknown>> | undefined
}

const OPTIONS: OptionKinds<ParseMessagesOptions> = {
  threads: 'object',
}

/**
 * Parses messages from rendered and fully trusted text: every line that looks like a role marker is one. For untrusted values use
 * `prepare`, which renders and parses in one step.
 * @throws ParleyError `config-invalid` if a conversation is not a list of messages.
 */
export function parseMessages(text: string, options: ParseMessagesOptions = {}): readonly PromptyMessage[] {
  checkOptions('parseMessages', options, OPTIONS)
  const { threads = {} } = options
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
