import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Characters of a text that are encoded at once. */
const SLICE_CHARS = 64 * 1024
/** Slices that are encoded before the event loop gets its turn. */
const SLICES_A_TURN = 8

/**
 * Encodes a value as UTF-8 JSON, like `JSON.stringify`. Long texts are encoded in slices, and the event loop gets its turn between
 * them. The result is outside of V8's heap: a text of the same size would be garbage that V8 collects late.
 */
export async function encodeJson(value: unknown): Promise<Uint8Array<ArrayBuffer>> {
  // No text of the value can contain it.
  const mark = randomUUID()
  const texts: string[] = []
  const frame = JSON.stringify(value, (_key, field: unknown) =>
    typeof field === 'string' && field.length > SLICE_CHARS ? `${mark}${texts.push(field) - 1}` : field,
  )
  const bytes = new Bytes(frame.length + texts.reduce((sum, text) => sum + text.length, 0))
  let slices = 0
  for (const [index, part] of frame.split(new RegExp(`${mark}(\\d+)`)).entries()) {
    // Odd parts are what the group of the expression matched.
    if (index % 2 === 0) {
      bytes.add(part)
      continue
    }
    for (const slice of slicesOf(texts[Number(part)] as string)) {
      bytes.add(JSON.stringify(slice).slice(1, -1))
      if (++slices % SLICES_A_TURN === 0) await nextTurn()
    }
  }
  return bytes.value
}

/** Half of a surrogate pair must not be alone in a slice, because JSON.stringify escapes it. */
function* slicesOf(text: string): Generator<string, void> {
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + SLICE_CHARS, text.length)
    const last = text.charCodeAt(to - 1)
    if (to < text.length && last >= 0xd8_00 && last <= 0xdb_ff) to--
    yield text.slice(from, to)
    from = to
  }
}

/**
 * Smallest allocation that the C library returns to the system when it is freed. It keeps smaller ones, of 20 MB too, once it has
 * seen one. Pages that are not written take no memory.
 */
const RETURNED_BYTES = 33 * 1024 * 1024

/** Bytes that grow by texts. */
class Bytes {
  #buffer: Buffer<ArrayBuffer>
  #length = 0

  /** @param chars Expected number of characters, most of which need one byte. */
  constructor(chars: number) {
    this.#buffer = Buffer.from(new ArrayBuffer(Math.max(RETURNED_BYTES, Math.ceil(chars * 1.05) + SLICE_CHARS)))
  }

  get value(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#buffer.buffer, 0, this.#length)
  }

  add(text: string): void {
    const most = text.length * 3
    if (this.#length + most > this.#buffer.length) this.#grow(Buffer.byteLength(text))
    this.#length += this.#buffer.write(text, this.#length)
  }

  #grow(added: number): void {
    if (this.#length + added <= this.#buffer.length) return
    const next = Buffer.from(new ArrayBuffer(Math.ceil((this.#length + added) * 1.5)))
    next.set(this.#buffer.subarray(0, this.#length))
    this.#buffer = next
  }
}
