/** A line of a document without code, or an empty one instead of a line of code. */
export interface ProseLine {
  /** Counted from 1. */
  readonly line: number
  readonly text: string
}

const FENCE = /^\s*(?:```|~~~)/
const CODE = /`+[^`]*`+/g

/** Returns the lines of a Markdown text. Code blocks, inline code, comments and drawings are removed. */
export function proseLines(markdown: string): readonly ProseLine[] {
  const visible = markdown.replaceAll(/<!--[\s\S]*?-->|<svg[\s\S]*?<\/svg>/g, hidden => hidden.replaceAll(/[^\n]/g, ''))
  let inBlock = false
  return visible.split('\n').map((text, index) => {
    const isFence = FENCE.test(text)
    if (isFence) inBlock = !inBlock
    return { line: index + 1, text: isFence || inBlock ? '' : text.replaceAll(CODE, code => '`'.repeat(code.length)) }
  })
}
