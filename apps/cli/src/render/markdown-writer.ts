import { stripVTControlCharacters } from 'node:util'
import type { MarkedExtension } from 'marked'
import type { Terminal } from './terminal.ts'

/** Turns Markdown into text with terminal styles. */
export type RenderMarkdown = (markdown: string) => string

/** Creates the renderer for a terminal. Lines are wrapped between words, at the width that the terminal has then. */
export async function createMarkdown(terminal: Pick<Terminal, 'columns' | 'style'>): Promise<RenderMarkdown> {
  const [{ Marked }, { markedTerminal }] = await Promise.all([import('marked'), import('marked-terminal')])
  const open = (columns: number) => {
    const extension = markedTerminal({ width: Math.max(20, columns - 1), reflowText: true, tab: 2 })
    // The types of marked-terminal describe the class of its version 6 instead of the extension that it returns.
    return { columns, marked: new Marked(extension as unknown as MarkedExtension) }
  }
  // The package chalk, which marked-terminal uses, ignores NO_COLOR.
  const hasStyles = terminal.style('bold', 'x') !== 'x'
  let opened = open(terminal.columns ?? 80)
  return markdown => {
    const { columns = 80 } = terminal
    if (columns !== opened.columns) opened = open(columns)
    const text = opened.marked.parse(markdown, { async: false }).trimEnd()
    return hasStyles ? text : stripVTControlCharacters(text)
  }
}

/** Renders an answer while it streams: each block as soon as it is complete. */
export class MarkdownWriter {
  readonly #render: RenderMarkdown
  readonly #write: (text: string) => void
  #rest = ''

  constructor(render: RenderMarkdown, write: (text: string) => void) {
    this.#render = render
    this.#write = write
  }

  text(piece: string): void {
    this.#rest += piece
    const end = endOfBlocks(this.#rest)
    if (end === 0) return
    this.#print(this.#rest.slice(0, end))
    this.#rest = this.#rest.slice(end)
  }

  /** Prints what is left. Returns whether there was text. */
  finish(): void {
    this.#print(this.#rest)
    this.#rest = ''
  }

  #print(markdown: string): void {
    if (markdown.trim() !== '') this.#write(`${this.#render(markdown)}\n`)
  }
}

/**
 * Returns the position at which the last complete block ends. A list continues after an empty line, so a list is
 * complete only when other text follows it.
 */
function endOfBlocks(text: string): number {
  let [end, at, isFenced] = [0, 0, false]
  const lines = text.split('\n')
  // The last line is incomplete.
  for (const [index, line] of lines.slice(0, -1).entries()) {
    at += line.length + 1
    if (/^ {0,3}(```|~~~)/.test(line)) isFenced = !isFenced
    const next = lines[index + 1] ?? ''
    const isContinued = next === '' || /^(?:\s|[-*+] |\d+[.)] )/.test(next)
    if (!isFenced && line.trim() === '' && !isContinued) end = at
  }
  return end
}
