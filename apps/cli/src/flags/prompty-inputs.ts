import { ParleyError } from '@parley/core'
import { Option } from 'commander'

/** Whether an argument names a prompt file rather than being a question. */
export function isPromptyFile(argument: string): boolean {
  return argument.endsWith('.prompty')
}

/** `--input name=value`, as often as wanted. */
export function inputOption(): Option {
  return new Option('--input <name=value>', 'value for an input of a .prompty file; may be repeated').argParser(
    (pair: string, before: readonly string[] | undefined) => [...(before ?? []), pair],
  )
}

/**
 * Values by name. Text stays text, unless the input's kind is another: then it is read as JSON.
 * @throws ParleyError `config-invalid` for what is no `name=value`.
 */
export function parsePromptyInputs(
  pairs: readonly string[] = [],
  kinds: ReadonlyMap<string, string> = new Map(),
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    pairs.map(pair => {
      const at = pair.indexOf('=')
      if (at < 1)
        throw new ParleyError({ code: 'config-invalid', path: '--input', detail: `'${pair}' is no name=value` })
      const name = pair.slice(0, at)
      return [name, readValue(pair.slice(at + 1), kinds.get(name) ?? 'string', name)] as const
    }),
  )
}

const TEXTS = new Set(['string', 'image', 'file', 'audio'])

function readValue(text: string, kind: string, name: string): unknown {
  if (TEXTS.has(kind)) return text
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
