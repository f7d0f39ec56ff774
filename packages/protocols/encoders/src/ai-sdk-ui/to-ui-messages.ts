import { checkOptions, type Entry, type OptionKinds, type UserPart } from '@parley/core'
import type { RunEncoderOptions } from '../chat/chat-encoder.ts'
import { fileUrlOf } from '../kit/file-part.ts'
import { createUiMessageEncoder } from './create-ui-message-encoder.ts'
import { UiMessageReader } from './ui-message-reader.ts'
import type { UiMessage, UiMessagePart } from './ui-message.ts'

/** Options of `toUiMessages`. */
export interface UiMessagesOptions extends Pick<RunEncoderOptions, 'describe'> {
  /** The chat's id of the first message. @default made from the run's id */
  readonly inputId?: string | undefined
}

const OPTIONS: OptionKinds<UiMessagesOptions> = { describe: 'function', inputId: 'string' }

/**
 * Converts the journal of a run to the messages that a chat of the AI SDK shows: those of the user, then the answer. The answer is
 * equal to the message that `useChat` makes of the run's stream. It is missing if the run has not begun to answer. Give a page the
 * messages of all runs of its chat as `messages`, so that it shows what was said before it was loaded.
 */
export function toUiMessages(
  runId: string,
  entries: readonly Entry[],
  options: UiMessagesOptions = {},
): readonly UiMessage[] {
  checkOptions('toUiMessages', options, OPTIONS)
  const { inputId, describe } = options
  const asked = entries.flatMap(contentOf).map((content, index): UiMessage => ({
    id: index === 0 && inputId !== undefined ? inputId : `msg_${runId}_${index}`,
    role: 'user',
    parts: content.map(toPart),
  }))
  const encoder = createUiMessageEncoder({ describe })
  const reader = new UiMessageReader()
  for (const entry of withoutPauses(entries))
    for (const chunk of encoder.push({ ...entry, runId, sessionId: '', path: [] })) reader.read(chunk)
  const { message } = reader
  return message.parts.every(({ type }) => type === 'step-start') ? asked : [...asked, message]
}

function contentOf(entry: Entry): readonly (readonly UserPart[])[] {
  if (entry.type !== 'message.appended' || entry.message.role !== 'user') return []
  const isFromUser = entry.source === 'input' || entry.source === 'steering' || entry.source === 'follow-up'
  return isFromUser ? [entry.message.content] : []
}

function toPart(part: UserPart): UiMessagePart {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const named = part.name === undefined ? {} : { filename: part.name }
  return { type: 'file', mediaType: part.mediaType, url: fileUrlOf(part), ...named }
}

/**
 * Leaves out what would end the stream of a run that continues, and the submissions of the client: a stream does not repeat
 * a result to the client that has sent it, but a page that is loaded again does not know it.
 */
function withoutPauses(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter(
    ({ type }, index) => type !== 'tool.submitted' && (type !== 'run.suspended' || index === entries.length - 1),
  )
}
