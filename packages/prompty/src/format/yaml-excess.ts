import { CST, Lexer } from 'yaml'

/** Far above what anybody writes, and quick to read whatever it holds. */
const MOST_CHARACTERS = 64 * 1024
const DEEPEST_BRACKETS = 50
const MOST_ON_A_LINE = 50

const NESTING: ReadonlySet<string | null> = new Set(['seq-item-ind', 'explicit-key-ind'])
const PAIRING: ReadonlySet<string | null> = new Set(['map-value-ind', 'anchor', 'tag', 'alias'])

/**
 * What is too much about a YAML text: size or nesting on which a parser would spend more than its length; undefined for one
 * that may be parsed.
 */
export function yamlExcess(text: string): string | undefined {
  if (text.length > MOST_CHARACTERS) return `it has ${text.length} characters, more than ${MOST_CHARACTERS}.`
  let depth = 0
  let onLine = 0
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token)
    if (type === 'newline') onLine = 0
    else if (type === 'flow-map-start' || type === 'flow-seq-start') depth++
    else if (type === 'flow-map-end' || type === 'flow-seq-end') depth = Math.max(0, depth - 1)
    // Between brackets many pairs on a line are no nesting.
    else if (NESTING.has(type) || (depth === 0 && PAIRING.has(type))) onLine++
    if (depth > DEEPEST_BRACKETS) return `its brackets nest more than ${DEEPEST_BRACKETS} deep.`
    if (onLine > MOST_ON_A_LINE) return `a line of it nests more than ${MOST_ON_A_LINE} deep.`
  }
  return undefined
}
