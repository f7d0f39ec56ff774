export interface PreviewOptions {
  readonly id: string
  /** Number of characters from the beginning and the end together. */
  readonly characters: number
  /** Name of the tool that reads the rest. */
  readonly tool: string
}

/** Builds the text that is shown to a model instead of a long one. */
export function preview(text: string, { id, characters, tool }: PreviewOptions): string {
  const half = Math.floor(characters / 2)
  const headEnd = cutAt(text, half)
  const tailStart = cutAt(text, text.length - half)
  const left = tailStart - headEnd
  const note = `[${left} of ${text.length} characters are left out here. Read them with ${tool}, id '${id}'.]`
  return [text.slice(0, headEnd), note, text.slice(tailStart)].filter(piece => piece !== '').join('\n')
}

/** Returns `index`, or one less if a cut at `index` would split a surrogate pair. */
export function cutAt(text: string, index: number): number {
  const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(index - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(index))
  return isSplit ? index - 1 : index
}
