export interface PreviewOptions {
  readonly id: string
  /** Of the beginning and the end together. */
  readonly characters: number
  /** The tool that reads the rest. */
  readonly tool: string
}

/** What a model is shown in place of a long text. */
export function preview(text: string, { id, characters, tool }: PreviewOptions): string {
  const half = Math.floor(characters / 2)
  const headEnd = cutAt(text, half)
  const tailStart = cutAt(text, text.length - half)
  const left = tailStart - headEnd
  const note = `[${left} of ${text.length} characters are left out here. Read them with ${tool}, id '${id}'.]`
  return [text.slice(0, headEnd), note, text.slice(tailStart)].filter(piece => piece !== '').join('\n')
}

/** `index`, or one less where it would split a character in two. */
export function cutAt(text: string, index: number): number {
  const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(index - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(index))
  return isSplit ? index - 1 : index
}
