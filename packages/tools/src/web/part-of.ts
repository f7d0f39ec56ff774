export interface Part {
  readonly text: string
  readonly offset: number
  /** Offset at which the next part starts. `undefined` at the end. */
  readonly nextOffset?: number
}

/** Cuts a part out of a text. The part starts and ends between characters, never inside a surrogate pair. */
export function partOf(text: string, offset: number, maxLength: number): Part {
  const start = isLowSurrogate(text, offset) ? offset + 1 : offset
  const end = start + maxLength
  if (end >= text.length) return { text: text.slice(start), offset: start }
  const cut = isLowSurrogate(text, end) ? end - 1 : end
  return { text: text.slice(start, cut), offset: start, nextOffset: cut }
}

function isLowSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code >= 0xdc00 && code <= 0xdfff
}
