import { CST, Lexer } from 'yaml'

/** Largest number of characters: more than any real file needs, and so few that every text parses quickly. */
const MOST_CHARACTERS = 64 * 1024
const DEEPEST_BRACKETS = 50
const MOST_ON_A_LINE = 50

const NESTING: ReadonlySet<string | null> = new Set(['seq-item-ind', 'explicit-key-ind'])
const PAIRING: ReadonlySet<string | null> = new Set(['map-value-ind', 'anchor', 'tag', 'alias'])

/**
 * Returns an error text for a YAML text that is too long or nested too deep: the parser would need more than linear time.
 * `undefined` if the text may be parsed.
 */
export function yamlExcess(text: string): string | undefined {
  if (text.length > MOST_CHARACTERS) return `has ${text.length} characters; must have at most ${MOST_CHARACTERS}.`
  let depth = 0
  let onLine = 0
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token)
    if (type === 'newline') onLine = 0
    else if (type === 'flow-map-start' || type === 'flow-seq-start') depth++
    else if (type === 'flow-map-end' || type === 'flow-seq-end') depth = Math.max(0, depth - 1)
    // Inside brackets, pairs on one line are not nested in each other.
    else if (NESTING.has(type) || (depth === 0 && PAIRING.has(type))) onLine++
    if (depth > DEEPEST_BRACKETS) return `nests brackets more than ${DEEPEST_BRACKETS} deep.`
    if (onLine > MOST_ON_A_LINE) return `nests more than ${MOST_ON_A_LINE} deep on one line.`
  }
  return undefined
}
