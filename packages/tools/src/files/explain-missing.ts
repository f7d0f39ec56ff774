/** Explains to the model why `wanted` does not occur in `text`: the most likely mistake. */
export function explainMissing(text: string, wanted: string): string {
  if (/^ *\d+\t/m.test(wanted) && text.includes(wanted.replaceAll(/^ *\d+\t/gm, ''))) {
    return 'oldText has the line numbers that read shows before each line. Leave them out, with the tab after them.'
  }
  const near = findLoosely(text, wanted)
  if (near !== undefined) {
    return (
      `oldText does not occur, but lines ${near.first} to ${near.last} differ from it only in ${near.by}. ` +
      `Copy them exactly:\n${near.text}`
    )
  }
  const line = findFirstLine(text, wanted)
  if (line !== undefined) {
    return (
      `oldText does not occur. Its first line is like line ${line.number}, but what follows differs. ` +
      `From there the file has:\n${line.text}`
    )
  }
  return 'oldText does not occur in the file. Read the file again and copy the text exactly, with its indentation.'
}

interface Near {
  readonly first: number
  readonly last: number
  readonly by: string
  readonly text: string
}

const SHOWN_CHARACTERS = 2_000

function findLoosely(text: string, wanted: string): Near | undefined {
  const ways: readonly (readonly [string, (line: string) => string])[] = [
    ['white space', line => line.replaceAll(/\s+/g, ' ').trim()],
    ['quotation marks, dashes or white space', plainLine],
    ['case', line => plainLine(line).toLowerCase()],
  ]
  for (const [by, fold] of ways) {
    const found = findLines(text, wanted, fold)
    if (found !== undefined) return { ...found, by }
  }
  return undefined
}

function findLines(text: string, wanted: string, fold: (line: string) => string): Omit<Near, 'by'> | undefined {
  const lines = text.split('\n')
  const sought = wanted.trim().split('\n').map(fold)
  if (sought.join('') === '') return undefined
  const folded = lines.map(fold)
  // Line breaks on both sides limit matches to whole lines. One search is linear; comparing every window would not be.
  const at = `\n${folded.join('\n')}\n`.indexOf(`\n${sought.join('\n')}\n`)
  if (at < 0) return undefined
  const first = countBreaks(folded, at)
  const shown = lines.slice(first, first + sought.length).join('\n')
  return { first: first + 1, last: first + sought.length, text: cut(shown) }
}

/** Counts the lines that end before a position in the joined text, which has a line break before each line. */
function countBreaks(lines: readonly string[], at: number): number {
  let position = 0
  let index = 0
  while (position < at) {
    position += (lines[index] ?? '').length + 1
    index++
  }
  return index
}

function findFirstLine(text: string, wanted: string): { readonly number: number; readonly text: string } | undefined {
  const sought = wanted.split('\n').map(plainLine)
  const first = sought.find(line => line.length > 3)
  if (first === undefined || sought.length < 2) return undefined
  const lines = text.split('\n')
  const index = lines.findIndex(line => plainLine(line) === first)
  if (index < 0) return undefined
  return { number: index + 1, text: cut(lines.slice(index, index + Math.min(sought.length, 20)).join('\n')) }
}

function plainLine(line: string): string {
  return line
    .normalize('NFKC')
    .replaceAll(/[‘’‚‛′`]/g, "'")
    .replaceAll(/[“”„‟″]/g, '"')
    .replaceAll(/[‐‑‒–—−]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function cut(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS).toWellFormed()}…` : text
}
