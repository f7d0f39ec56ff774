import type { ParleyError } from '@parley/core'
import type { AnswerContext, AnswerDecoder, AnswerProgress } from './answer-decoder.ts'
import { LONGEST_ANSWER } from './body-limits.ts'
import type { LineReader } from './create-line-reader.ts'
import { createNdjsonParser } from './create-ndjson-parser.ts'
import { createSseParser } from './create-sse-parser.ts'

/** The format that a request asks for. */
export type BodyFormat = 'sse' | 'ndjson' | 'json'

// Bytes of the body that are quoted if it contains no events.
const LONGEST_HEAD = 200

export interface BodyReader {
  /** Whether the body failed because it is too long. Another attempt would read the same. */
  isTooLong(): boolean
  feed(chunk: Uint8Array): AnswerProgress
  end(): void
}

export interface BodyReaderOptions {
  readonly format: BodyFormat
  readonly decoder: AnswerDecoder
  readonly context: AnswerContext
}

/**
 * Creates a reader that feeds a body to a decoder. Its first character decides between a document and an event stream,
 * because some servers send one instead of the other, with a wrong content type.
 */
export function createBodyReader({ format, decoder, context }: BodyReaderOptions): BodyReader {
  let progress: AnswerProgress = 'open'
  let parser: LineReader | undefined
  const head: Uint8Array[] = []
  let headroom = LONGEST_HEAD
  let eventless = true
  let bytes = 0
  let isTooLong = false

  function tooLong(detail: string): ParleyError {
    isTooLong = true
    return context.broken(detail)
  }

  function onEvent(data: string, name: string): void {
    eventless = false
    if (progress !== 'complete') progress = decoder.event(data, name)
  }

  function chooseParser(chunk: Uint8Array): LineReader | undefined {
    if (format === 'ndjson') return createNdjsonParser(json => onEvent(json, ''), tooLong)
    const first = firstCharacter(chunk)
    if (first === undefined) return undefined
    const isDocument = format === 'sse' ? first === '{' || first === '[' : !'deir:'.includes(first)
    return isDocument ? createDocumentReader({ decoder, context }) : createSseParser(onEvent, tooLong)
  }

  function rejectMarkup(): void {
    const utf8 = new TextDecoder()
    const text = head.map(chunk => utf8.decode(chunk, { stream: true })).join('')
    if (text.trimStart().startsWith('<'))
      throw context.broken(`The server sent markup instead of events: '${text.trim()}'. Check the base URL.`)
  }

  return {
    isTooLong: () => isTooLong,
    feed(chunk) {
      bytes += chunk.length
      if (bytes > LONGEST_ANSWER) throw tooLong(`The server sent an answer of more than ${LONGEST_ANSWER} bytes.`)
      if (headroom > 0) {
        head.push(chunk.subarray(0, headroom))
        headroom -= chunk.length
      }
      parser ??= chooseParser(chunk)
      parser?.feed(chunk)
      return progress
    },
    end() {
      parser?.end()
      if (progress === 'open' && eventless && format === 'sse') rejectMarkup()
      decoder.end()
    },
  }
}

function firstCharacter(chunk: Uint8Array): string | undefined {
  for (const byte of chunk) {
    const isBlank = byte === 32 || (byte >= 9 && byte <= 13)
    const isByteOrderMark = byte === 0xef || byte === 0xbb || byte === 0xbf
    if (!isBlank && !isByteOrderMark) return String.fromCharCode(byte)
  }
  return undefined
}

function createDocumentReader({ decoder, context }: Pick<BodyReaderOptions, 'decoder' | 'context'>): LineReader {
  const utf8 = new TextDecoder()
  let text = ''
  return {
    feed(chunk) {
      text += typeof chunk === 'string' ? chunk : utf8.decode(chunk, { stream: true })
    },
    end() {
      decoder.document(context.parse(text + utf8.decode()))
    },
  }
}
