import { checkOptions, ParleyError, type OptionKinds } from '@parley/core'
import type { JsonObject } from '../schema/json-object.ts'
import { LineSplitter } from './line-splitter.ts'

/** A deviation in the bytes of a stream. This reader tolerates it; other clients may not. */
export interface WireFault {
  readonly code: WireFaultCode
  /** Line number, from 1. */
  readonly line: number
  readonly detail: string
}

/** Kind of a deviation in the bytes of a stream. */
export type WireFaultCode =
  | 'utf-8'
  | 'byte-order-mark'
  | 'carriage-return'
  | 'line-separator'
  | 'field'
  | 'json'
  | 'sentinel'
  | 'unclosed-event'

/** Options of `createEventDecoder`. */
export interface EventDecoderOptions {
  /** Called with each deviation. @default none */
  readonly onFault?: ((fault: WireFault) => void) | undefined
  /** Address of the stream, for errors. @default 'of the stream' */
  readonly url?: string | undefined
}

/** Decodes bytes into JSON objects. */
export interface EventDecoder {
  /**
   * Decodes the next chunk. @returns The JSON objects that this chunk completes.
   * @throws ParleyError `agent-request-failed` if a line, or the data of an event, has more than 32 MiB.
   */
  push(chunk: Uint8Array | string): readonly JsonObject[]
  /** Ends the input. A last event without its empty line counts if it is complete. */
  end(): readonly JsonObject[]
}

const DECODE = { stream: true }
// The same limit as for streams of models. A line without an end would fill the memory until V8 throws a `RangeError`.
const LONGEST_EVENT = 32 * 1024 * 1024
const FIELDS = new Set(['event', 'id', 'retry'])
const SEPARATOR = /[\u0085\u2028\u2029]/

const OPTIONS: OptionKinds<EventDecoderOptions> = {
  onFault: 'function',
  url: 'string',
}

/**
 * Creates a decoder for server-sent events or lines of JSON, in any chunks. Skips everything else: comments, sentinels,
 * unknown fields and data that is not a JSON object.
 */
export function createEventDecoder(options: EventDecoderOptions = {}): EventDecoder {
  checkOptions('createEventDecoder', options, OPTIONS)
  return new Decoder(options)
}

class Decoder implements EventDecoder {
  readonly #onFault: ((fault: WireFault) => void) | undefined
  readonly #url: string
  readonly #text = new TextDecoder('utf-8', { ignoreBOM: true })
  /** A second decoder, used only to check whether the bytes are valid UTF-8. */
  #strict: InstanceType<typeof TextDecoder> | undefined
  readonly #lines = new LineSplitter({
    onLine: line => this.#readLine(line),
    onReturn: () => this.#fault('carriage-return', 'lines must end with LF alone'),
  })
  #line = 0
  #data: string[] = []
  #dataLength = 0
  #found: JsonObject[] = []

  constructor({ onFault, url = 'of the stream' }: EventDecoderOptions) {
    this.#onFault = onFault
    this.#url = url
    if (onFault !== undefined) this.#strict = new TextDecoder('utf-8', { fatal: true })
  }

  push(chunk: Uint8Array | string): readonly JsonObject[] {
    if (typeof chunk !== 'string') this.#probe(chunk)
    const text = typeof chunk === 'string' ? chunk : this.#text.decode(chunk, DECODE)
    this.#lines.push(text)
    this.#limit(this.#lines.length, 'line')
    return this.#take()
  }

  end(): readonly JsonObject[] {
    this.#probe()
    this.#lines.end(this.#text.decode())
    if (this.#data.length > 0) {
      this.#fault('unclosed-event', 'the last event is not closed by an empty line')
      this.#dispatch()
    }
    return this.#take()
  }

  #readLine(whole: string): void {
    let line = whole
    if (this.#line++ === 0 && line.startsWith('\uFEFF')) {
      line = line.slice(1)
      this.#fault('byte-order-mark', 'the stream must not start with a byte order mark')
    }
    if (line === '') this.#dispatch()
    else if (line.startsWith('{')) this.#parse(line)
    else if (!line.startsWith(':')) this.#readField(line)
    if (this.#onFault !== undefined && SEPARATOR.test(line))
      this.#fault('line-separator', 'U+0085, U+2028 and U+2029 must be escaped')
  }

  #readField(line: string): void {
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    if (field === 'data') {
      const spaced = line.charCodeAt(colon + 1) === 32
      if (!spaced) this.#fault('field', 'there must be a space after "data:"')
      if (this.#data.length === 1) this.#fault('field', 'an event must have one data line')
      this.#data.push(colon === -1 ? '' : line.slice(colon + (spaced ? 2 : 1)))
      this.#dataLength += line.length
      this.#limit(this.#dataLength, 'event')
    } else if (colon === -1 || !FIELDS.has(field)) this.#fault('field', `unknown field '${field.slice(0, 40)}'`)
  }

  #dispatch(): void {
    if (this.#data.length === 0) return
    const text = this.#data.join('\n')
    this.#data = []
    this.#dataLength = 0
    this.#parse(text)
  }

  #limit(length: number, what: 'line' | 'event'): void {
    if (length <= LONGEST_EVENT) return
    this.#lines.clear()
    this.#data = []
    this.#dataLength = 0
    const detail = `it sent ${what === 'line' ? 'a line' : 'an event'} of more than ${LONGEST_EVENT} characters`
    throw new ParleyError({ code: 'agent-request-failed', url: this.#url, detail })
  }

  #parse(text: string): void {
    if (text.trim() === '[DONE]') {
      this.#fault('sentinel', '[DONE] is not part of the protocol')
      return
    }
    try {
      const value = JSON.parse(text) as unknown
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) this.#found.push(value as JsonObject)
      else this.#fault('json', 'the data must be a JSON object')
    } catch {
      this.#fault('json', `the data must be JSON: ${text.slice(0, 60)}`)
    }
  }

  #probe(chunk?: Uint8Array): void {
    try {
      if (chunk === undefined) this.#strict?.decode()
      else this.#strict?.decode(chunk, DECODE)
    } catch {
      this.#strict = undefined
      this.#fault('utf-8', 'the bytes must be UTF-8')
    }
  }

  #fault(code: WireFaultCode, detail: string): void {
    this.#onFault?.({ code, line: Math.max(1, this.#line), detail })
  }

  #take(): readonly JsonObject[] {
    const found = this.#found
    this.#found = []
    return found
  }
}
