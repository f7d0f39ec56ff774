import { encodeLine, jsonPieces, jsonSize, PIECE_CHARS } from './json-pieces.ts'

/**
 * One server-sent event. A large one keeps its event instead of a text, and encodes it in pieces each time it is
 * iterated. So several readers share one copy of the event.
 */
export type Frame = string | LargeFrame

/** The other fields of a server-sent event. */
export interface SseFields {
  /** Value of the field `id`. @default no `id` field */
  readonly id?: number | null | undefined
  /** Value of the field `event`. @default no `event` field */
  readonly name?: string | undefined
}

/** Encodes an event as one server-sent event. */
export function encodeSseFrame(event: object, fields: SseFields = {}): Frame {
  const head = headOf(fields)
  if (jsonSize(event, PIECE_CHARS) > PIECE_CHARS) return new LargeFrame(event, head)
  return `${head}${encodeLine(event)}\n\n`
}

/** A frame that is not encoded until it is read. */
export class LargeFrame implements Iterable<string> {
  readonly #event: object
  readonly #head: string

  constructor(event: object, head: string) {
    this.#event = event
    this.#head = head
  }

  /** Estimated number of characters. */
  get length(): number {
    return jsonSize(this.#event) + this.#head.length
  }

  *[Symbol.iterator](): Generator<string, void> {
    yield this.#head
    yield* jsonPieces(this.#event)
    yield '\n\n'
  }
}

function headOf({ id, name }: SseFields): string {
  const idLine = id === undefined || id === null ? '' : `id: ${id}\n`
  return `${idLine}${name === undefined ? '' : `event: ${name}\n`}data: `
}
