import { createLineText, type LineText } from './line-text.ts'
import { createMarkdownLines, type MarkdownLines } from './markdown-lines.ts'

/** Builds Markdown step by step. Keeps only the open line and the finished text in memory. */
export interface MarkdownWriter extends Pick<LineText, 'openSpan' | 'closeSpan'>, Pick<MarkdownLines, 'quote'> {
  /** Adds text of the HTML source, in which a run of white space counts as one space. */
  text(text: string): void
  /** Ends the line. `blank` adds a blank line after it. */
  end(blank: boolean): void
  /** Sets the marker of the next line that has text, such as `## ` or `- `. */
  mark(mark: string): void
  /** Changes how deep the following lines are indented. */
  indent(change: 1 | -1): void
  openCode(): void
  closeCode(): void
  startTable(): void
  openCell(): void
  closeCell(): void
  endRow(): void
  toString(): string
}

export function createMarkdownWriter(): MarkdownWriter {
  const lines = createMarkdownLines()
  const line = createLineText()
  let pending = ''
  let code: string[] | undefined
  let row: string[] = []
  let inCell = false
  let rows = 0

  function flush(): void {
    const text = line.take()
    if (text === '') return
    if (/^(?:-|\d+\.) $/.test(pending)) lines.writeItem(pending + text)
    else lines.write(pending + text)
    pending = ''
  }
  function closeCode(): void {
    if (code === undefined) return
    writeCode(lines, code.join(''))
    code = undefined
  }
  function closeCell(): void {
    if (inCell) row.push(line.take().replaceAll('|', '\\|'))
    inCell = false
  }

  return {
    quote: lines.quote,
    openSpan: line.openSpan,
    closeSpan: line.closeSpan,
    closeCode,
    closeCell,
    text: text => void (code === undefined ? line.add(text) : code.push(text)),
    end(blank) {
      if (code !== undefined) return void (blank || code.push('\n'))
      if (inCell || line.isBridged) return line.add(' ')
      flush()
      if (blank) lines.writeBlank()
    },
    mark(mark) {
      if (!inCell && code === undefined && line.isEmpty) pending = mark
    },
    indent(change) {
      lines.indent(change)
      if (change < 0) pending = ''
    },
    openCode() {
      if (inCell || code !== undefined) return
      flush()
      lines.writeBlank()
      code = []
    },
    startTable() {
      if (inCell) return
      flush()
      lines.writeBlank()
      rows = 0
    },
    openCell() {
      closeCell()
      flush()
      inCell = true
    },
    endRow() {
      closeCell()
      if (row.some(cell => cell !== '')) {
        lines.write(`| ${row.join(' | ')} |`)
        if (rows++ === 0) lines.write(`|${' --- |'.repeat(row.length)}`)
      }
      row = []
    },
    toString() {
      closeCode()
      closeCell()
      line.add(row.join(' '))
      flush()
      return lines.toString()
    },
  }
}

function writeCode(lines: MarkdownLines, code: string): void {
  const text = code.replace(/^\r?\n/, '').trimEnd()
  if (text === '') return
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  for (const line of [fence, ...text.split(/\r?\n/), fence]) lines.write(line)
  lines.writeBlank()
}

/** Returns the length of the longest run of backticks, at most 20. The fence must be longer. */
function longestRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
  return Math.min(longest, 20)
}
