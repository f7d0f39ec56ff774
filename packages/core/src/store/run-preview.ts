import { messageText } from '../model/message-text.ts'
import type { Message } from '../schema/message.ts'

const LONGEST = 200

/** Returns the beginning of a message's text in one line, at most 200 characters: `RunRecord.preview`. `undefined` without text. */
export function runPreview(message: Message): string | undefined {
  // A store keeps entries without checking them; a damaged one is found when it is read.
  if (!Array.isArray(message.content)) return undefined
  // Four times as much, because the white space that goes may be long. The rest of a large text is not looked at.
  const line = messageText(message)
    .slice(0, 4 * LONGEST)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  if (line === '') return undefined
  const characters = Array.from(line)
  return characters.length <= LONGEST
    ? line
    : `${characters
        .slice(0, LONGEST - 1)
        .join('')
        .trimEnd()}…`
}
