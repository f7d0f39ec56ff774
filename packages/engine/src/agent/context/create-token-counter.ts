import type { FilePart, Message, TokenCounter } from '@parley/core'

/** Tokens that the wire format adds to a message: its role and separators. */
const PER_MESSAGE = 4
const PER_CALL = 8
/** Bytes per token of an image. Providers count its area, but only its bytes are known here. */
const FILE_BYTES_PER_TOKEN = 750
const LEAST_PER_FILE = 85
const MOST_PER_FILE = 16_000
/** Largest number of tokens that providers count for one image. */
const PER_LINKED_FILE = 1_600

/**
 * Makes a counter of messages from a counter of texts, such as a tokenizer. Tool calls, results, reasoning and files count
 * too. `charsPerToken` is the smallest number of characters that one token can have. With it, texts that clearly fit are
 * not counted.
 */
export function createTokenCounter(
  countText: (text: string) => number,
  { charsPerToken }: { readonly charsPerToken?: number | undefined } = {},
): TokenCounter {
  const count = (message: Message): number => sumOf(message, countText)
  if (charsPerToken === undefined) return { countText, count }
  // The default counter's share is 1: whole numbers need no division and no rounding (bench: tricks whole-bound).
  const bound =
    charsPerToken === 1
      ? (text: string): number => text.length
      : (text: string): number => Math.ceil(text.length / charsPerToken)
  return { countText, count, bound: message => sumOf(message, bound) }
}

function sumOf(message: Message, ofText: (text: string) => number): number {
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
        sum += ofText(JSON.stringify(part.providerData.data))
        break
    }
  }
  return sum
}

function ofFile({ source }: FilePart): number {
  if (source.type === 'url') return PER_LINKED_FILE
  const bytes = (source.data.length * 3) / 4
  return Math.min(Math.max(Math.ceil(bytes / FILE_BYTES_PER_TOKEN), LEAST_PER_FILE), MOST_PER_FILE)
}
