import { isRecord, type Validate } from '@parley/core/json-schema'

/** Longer texts are left alone: repairing takes the process as long as there is text. */
const MAX_LENGTH = 100_000

/**
 * What a model meant by arguments that are no JSON object, when that can be told: the first repair that fits the tool's
 * schema, or undefined. Always gives the same for the same text.
 */
export async function repairArguments(text: string, validate: Validate): Promise<unknown> {
  if (text.length > MAX_LENGTH) return undefined
  const inner = unwrap(text)
  const attempts: readonly (() => unknown)[] = [
    () => JSON.parse(inner),
    // Arguments that were encoded twice.
    () => JSON.parse(JSON.parse(inner) as string),
    () => JSON.parse(escapeStrayBackslashes(inner)),
    async () => {
      const { jsonrepair } = await import('jsonrepair')
      return JSON.parse(jsonrepair(escapeStrayBackslashes(inner)))
    },
  ]
  for (const attempt of attempts) {
    try {
      const value = await attempt()
      if (isRecord(value) && (await validate(value)).ok) return value
    } catch {
      // Not this one.
    }
  }
  return undefined
}

/** Without the fence, the tag or the words a model put around its object. */
function unwrap(text: string): string {
  const trimmed = text.trim()
  if (trimmed.startsWith('"')) return trimmed
  const from = trimmed.indexOf('{')
  const to = trimmed.lastIndexOf('}')
  return from >= 0 && to > from ? trimmed.slice(from, to + 1) : trimmed
}

/** Doubles the backslashes that begin no escape of JSON (`C:\Users`): a repair that drops them would change the value. */
function escapeStrayBackslashes(text: string): string {
  return text.replaceAll(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\/g, match => (match === '\\' ? '\\\\' : match))
}
