/** Finished lines of markdown, each with the quotation and indentation it stands in. */
export interface MarkdownLines {
  write(line: string): void
  /** Writes the first line of a list item, whose mark stands where other lines would be indented less. */
  writeItem(line: string): void
  /** Sets what follows apart. */
  writeBlank(): void
  quote(change: 1 | -1): void
  indent(change: 1 | -1): void
  toString(): string
}

/** Deeper nesting looks like this depth: otherwise a page of nothing but nesting would grow by its square. */
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
