import type { FilePart } from '../schema/content.ts'
import type { Json } from '../schema/json.ts'
import type { Message } from '../schema/message.ts'

/** Tokens that the wire format adds to a message: its role and separators. */
const PER_MESSAGE = 4
const PER_CALL = 8
/** Bytes per token of an image. Providers count its area, but only its bytes are known here. */
const FILE_BYTES_PER_TOKEN = 750
const LEAST_PER_FILE = 85
const MOST_PER_FILE = 16_000
/** Largest number of tokens that providers count for one image. */
const PER_LINKED_FILE = 1_600

/** Adds up a number of each text of a message: its tokens, for example. Adds the tokens of files, and what the wire format adds. */
export function sumTexts(message: Message, ofText: (text: string) => number): number {
  if (message.role === 'system') return PER_MESSAGE + ofText(message.content)
  let sum = message.role === 'tool' ? PER_MESSAGE + PER_CALL + ofText(message.name) : PER_MESSAGE
  for (const part of message.content) {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        sum += ofText(part.text)
        break
      case 'tool-call':
        sum += PER_CALL + ofText(part.name) + ofText(part.arguments)
        break
      case 'file':
        sum += ofFile(part)
        break
      case 'opaque':
        sum += ofText(jsonOf(part.providerData.data))
        break
    }
  }
  return sum
}

/** Returns the size of a message: the tokens that it would have if each character were one. */
export function messageSize(message: Message): number {
  return sumTexts(message, lengthOf)
}

function lengthOf(text: string): number {
  return text.length
}

/** Never throws: the state of a run is computed from any entry. What is not JSON cannot be sent, so it has no text. */
function jsonOf(data: Json): string {
  try {
    return JSON.stringify(data)
  } catch {
    return ''
  }
}

function ofFile({ source }: FilePart): number {
  if (source.type === 'url') return PER_LINKED_FILE
  const bytes = (source.data.length * 3) / 4
  return Math.min(Math.max(Math.ceil(bytes / FILE_BYTES_PER_TOKEN), LEAST_PER_FILE), MOST_PER_FILE)
}
