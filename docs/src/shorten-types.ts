/** Longest line of a page whose types stay whole. */
const MAX_LINE = 400
const OBJECT = /\\\{(?:(?!\\[{}]).)*\\\}/g
const REPEATED = /(\\\{ … \\\})(?: (?:\\\||&) \\\{ … \\\})+/g

/** Replaces the fields of object types with an ellipsis in the long lines of a page. TypeDoc writes inferred types out in full. */
export function shortenTypes(markdown: string): string {
  return markdown
    .split('\n')
    .map(line => (line.length <= MAX_LINE ? line : shorten(line)))
    .join('\n')
}

function shorten(line: string): string {
  let before = ''
  let after = line
  while (after !== before) {
    before = after
    after = after.replaceAll(OBJECT, '\0')
  }
  return after.replaceAll('\0', '\\{ … \\}').replaceAll(REPEATED, '$1')
}
