export interface WrittenCall {
  readonly name: string
  /** JSON text. */
  readonly arguments: string
}

export interface WrittenCalls {
  readonly calls: readonly WrittenCall[]
  /** What the model said besides, without the fence around its calls. */
  readonly before: string
  readonly after: string
}

/** Braces that are looked at: a text full of them is no call. */
const MOST_TRIES = 100

/** The first JSON object in a text that calls tools; undefined when there is none. */
export function findWrittenCalls(text: string): WrittenCalls | undefined {
  for (let from = text.indexOf('{'), tries = 0; from !== -1 && tries < MOST_TRIES; tries++) {
    const end = endOfObject(text, from)
    const calls = end === undefined ? [] : callsIn(text.slice(from, end))
    if (calls.length > 0) {
      const before = text.slice(0, from).replace(/```\w*\s*$/, '')
      return { calls, before, after: text.slice(end).replace(/^\s*```/, '') }
    }
    // What is whole and calls nothing holds no other object that would.
    from = text.indexOf('{', end ?? from + 1)
  }
  return undefined
}

/** Where an object that begins at `from` ends; undefined when it does not. */
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
