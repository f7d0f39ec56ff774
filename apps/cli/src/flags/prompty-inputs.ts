import { ParleyError } from '@parley/core'
import type { Option } from 'commander'
import { parsePair, repeatable } from './option-values.ts'

/** Whether an argument is the path of a .prompty file instead of a question. */
export function isPromptyFile(argument: string): boolean {
  return argument.endsWith('.prompty')
}

/** The flag `--input name=value`. */
export function inputOption(): Option {
  return repeatable('--input <name=value>', 'value for an input of a .prompty file')
}

/**
 * Parses the values of `--input`. Inputs of kind string, image, file and audio take the text as it is, other kinds take
 * JSON.
 * @throws ParleyError `config-invalid` if a value is not `name=value`, or not the JSON that its kind requires.
 */
export function parsePromptyInputs(
  pairs: readonly string[] = [],
  kinds: ReadonlyMap<string, string> = new Map(),
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    pairs.map(pair => {
      const [name, text] = parsePair(pair, '--input')
      return [name, readValue(text, kinds.get(name) ?? 'string', name)] as const
    }),
  )
}

const TEXT_KINDS = new Set(['string', 'image', 'file', 'audio'])

function readValue(text: string, kind: string, name: string): unknown {
  if (TEXT_KINDS.has(kind)) return text
  try {
    return JSON.parse(text)
  } catch {
    throw new ParleyError({
      code: 'config-invalid',
      path: `--input ${name}`,
      detail: `must be JSON for the kind '${kind}'`,
    })
  }
}
