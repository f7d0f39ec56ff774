import { jsonTextFault } from '@parley/core'
import { isRecord, type Validate } from '@parley/core/json-schema'
import type { RunContext } from '../../run-context/run-context.ts'

/** Largest length of arguments that are repaired. The time of a repair grows with the length. */
const MAX_LENGTH = 100_000

/**
 * Whether arguments that are not a JSON object may be repaired. If the provider truncated the answer because of its length, the
 * rest of the arguments is unknown.
 */
export function mayRepair({ agent, state }: RunContext, text: string): boolean {
  return agent.definition.repairArguments !== false && state.finish !== 'length' && jsonTextFault(text) === undefined
}

/**
 * Repairs arguments that are not a JSON object: the first repair that matches the tool's schema, or `undefined`. The same
 * text always gives the same result.
 */
export async function repairArguments(text: string, validate: Validate): Promise<unknown> {
  if (text.length > MAX_LENGTH) return undefined
  const inner = unwrap(text)
  const attempts: readonly (() => unknown)[] = [
    () => JSON.parse(inner),
    // The model encoded the arguments twice.
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
      // Try the next repair.
    }
  }
  return undefined
}

/** Removes a code fence, a tag or words around the object. */
function unwrap(text: string): string {
  const trimmed = text.trim()
  if (trimmed.startsWith('"')) return trimmed
  const from = trimmed.indexOf('{')
  const to = trimmed.lastIndexOf('}')
  return from >= 0 && to > from ? trimmed.slice(from, to + 1) : trimmed
}

/** Doubles backslashes that do not begin a JSON escape (`C:\Users`): dropping them would change the value. */
function escapeStrayBackslashes(text: string): string {
  return text.replaceAll(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\/g, match => (match === '\\' ? '\\\\' : match))
}
