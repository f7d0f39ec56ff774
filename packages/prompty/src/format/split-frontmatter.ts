/** The two parts of a `.prompty` text. */
export interface PromptyHalves {
  /** The YAML between the fences. `undefined` if the text has no frontmatter. */
  readonly frontmatter: string | undefined
  /** The line on which the frontmatter starts, from 1. */
  readonly firstLine: number
  readonly body: string
}

/**
 * Splits a text at its fences: lines that are only `---` or `+++`. Only white space may come before the first fence. Line ends
 * become `\n`.
 * @returns An error text if the first fence is not closed or names a language.
 */
export function splitFrontmatter(text: string): PromptyHalves | string {
  const normal = (text.startsWith('\uFEFF') ? text.slice(1) : text).replaceAll('\r\n', '\n')
  const start = normal.length - normal.trimStart().length
  const opening = lineAt(normal, start)
  const fence = opening.text.trimEnd()
  const firstLine = countLines(normal, opening.next) + 1
  if (/^(---|\+\+\+)[A-Za-z]+$/.test(fence))
    return `The frontmatter starts with '${fence}'. It is YAML and is never evaluated: write only '${fence.slice(0, 3)}'.`
  if (fence !== '---' && fence !== '+++') return { frontmatter: undefined, firstLine: 1, body: normal.trim() }
  for (let at = opening.next; at < normal.length;) {
    const line = lineAt(normal, at)
    if (line.text.trimEnd() === fence)
      return { frontmatter: normal.slice(opening.next, at), firstLine, body: normal.slice(line.next).trim() }
    at = line.next
  }
  return `The frontmatter is opened by '${fence}' but not closed. End it with a line that is only '${fence}'.`
}

function lineAt(text: string, from: number): { readonly text: string; readonly next: number } {
  const end = text.indexOf('\n', from)
  return end < 0 ? { text: text.slice(from), next: text.length } : { text: text.slice(from, end), next: end + 1 }
}

function countLines(text: string, end: number): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
