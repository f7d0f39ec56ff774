/** Collects finished lines of Markdown, each with its quotation marks and indentation. */
export interface MarkdownLines {
  write(line: string): void
  /** Writes the first line of a list item. Its marker is indented one level less than the item's other lines. */
  writeItem(line: string): void
  /** Writes a blank line, unless the last line is blank. */
  writeBlank(): void
  quote(change: 1 | -1): void
  indent(change: 1 | -1): void
  toString(): string
}

/** Maximum depth that is shown. Without a limit, the text of a page of nested elements would grow with the square of its length. */
const MAX_DEPTH = 8

export function createMarkdownLines(): MarkdownLines {
  const lines: string[] = []
  let quotes = 0
  let indents = 0

  function put(line: string, depth: number): void {
    lines.push('> '.repeat(Math.min(quotes, MAX_DEPTH)) + '  '.repeat(Math.min(depth, MAX_DEPTH)) + line)
  }

  return {
    write: line => put(line, indents),
    writeItem: line => put(line, Math.max(0, indents - 1)),
    writeBlank() {
      if (lines.length > 0 && lines.at(-1) !== '') lines.push('')
    },
    quote(change) {
      quotes = Math.max(0, quotes + change)
    },
    indent(change) {
      indents = Math.max(0, indents + change)
    },
    toString: () => lines.join('\n').trim(),
  }
}
