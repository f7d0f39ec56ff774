/** A tool call that a model wrote as JSON in its text. */
export interface WrittenCall {
  readonly name: string
  /** The arguments as JSON text. */
  readonly arguments: string
}

export interface WrittenCalls {
  readonly calls: readonly WrittenCall[]
  /** The text before the calls, without a code fence around them. */
  readonly before: string
  /** The text after the calls, without a code fence around them. */
  readonly after: string
}

/** Number of braces that are tried, so that a text full of braces does not cost quadratic time. */
const MOST_TRIES = 100

/** Finds the first JSON object in a text that calls tools; `undefined` for a text without calls. */
export function findWrittenCalls(text: string): WrittenCalls | undefined {
  for (let from = text.indexOf('{'), tries = 0; from !== -1 && tries < MOST_TRIES; tries++) {
    const end = endOfObject(text, from)
    const calls = end === undefined ? [] : callsIn(text.slice(from, end))
    if (calls.length > 0) {
      const before = text.slice(0, from).replace(/```\w*\s*$/, '')
      return { calls, before, after: text.slice(end).replace(/^\s*```/, '') }
    }
    // Skip a complete object without calls: its inner objects are arguments or data, not calls.
    from = text.indexOf('{', end ?? from + 1)
  }
  return undefined
}

/** Returns the end of the object that begins at `from`; `undefined` if the object is incomplete. */
function endOfObject(text: string, from: number): number | undefined {
  let depth = 0
  let quoted = false
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (quoted) {
      if (character === '\\') at++
      else if (character === '"') quoted = false
    } else if (character === '"') quoted = true
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return at + 1
  }
  return undefined
}

function callsIn(json: string): readonly WrittenCall[] {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return []
  }
  const { tool_calls: written } = value as { readonly tool_calls?: unknown }
  return Array.isArray(written) ? written.flatMap(toCall) : []
}

function toCall(written: unknown): readonly WrittenCall[] {
  if (typeof written !== 'object' || written === null || !('name' in written)) return []
  const { name } = written
  const given = 'arguments' in written ? written.arguments : {}
  if (typeof name !== 'string' || name === '') return []
  return [{ name, arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}) }]
}
