import { messageText, userMessage } from '../model/message-text.ts'
import type { Message, UserMessage } from '../schema/message.ts'

/** Kinds of notes. A note replaces the steps that a tool call has removed from the context. */
export type EditNoteLabel = 'Memo' | 'Lesson' | 'Finding' | 'Outcome' | 'Checkpoint'

const HEADING = /^\[(Memo|Lesson|Finding|Outcome|Checkpoint) on steps taken out of the context\]\n/

/** Creates the note that replaces removed steps. It is a user message, although no user wrote it. */
export function editNoteMessage(label: EditNoteLabel, text: string): UserMessage {
  return userMessage(`[${label} on steps taken out of the context]\n${text}`)
}

/** Returns the label of a message made by `editNoteMessage`, and `undefined` for every other message. */
export function editNoteLabel(message: Message | undefined): EditNoteLabel | undefined {
  if (message?.role !== 'user') return undefined
  return HEADING.exec(messageText(message))?.[1] as EditNoteLabel | undefined
}
