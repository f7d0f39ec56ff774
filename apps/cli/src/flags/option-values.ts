import { ParleyError } from '@parley/core'
import { Option } from 'commander'

/** Parses a positive integer. @throws ParleyError `config-invalid` that names the flag. */
export function toCount(text: string, flag: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count > 0) return count
  throw invalid(flag, `must be a positive integer, not '${text}'`)
}

/** Parses a time of 0 or more. @throws ParleyError `config-invalid` that names the flag. */
export function toMilliseconds(text: string, flag: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text)
  throw invalid(flag, `must be a number of milliseconds, not '${text}'`)
}

export interface RuleNames<TName extends string, TValue extends string> {
  readonly flag: string
  readonly names: readonly TName[]
  readonly values: readonly TValue[]
}

/**
 * Parses rules of the form `name=value`, and values that count for every name. Later rules override earlier ones.
 * @throws ParleyError `config-invalid` that names the flag.
 */
export function toRules<TName extends string, TValue extends string>(
  texts: readonly string[],
  { flag, names, values }: RuleNames<TName, TValue>,
): Partial<Record<TName, TValue>> {
  const rules: Partial<Record<TName, TValue>> = {}
  for (const text of texts) {
    const [name, value] = text.includes('=') ? parsePair(text, flag) : [undefined, text]
    const rule = toOneOf(values, value, flag)
    for (const each of name === undefined ? names : [toOneOf(names, name, flag)]) rules[each] = rule
  }
  return rules
}

/** Parses a port from 0 to 65535. @throws ParleyError `config-invalid` for `--port`. */
export function toPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw invalid('--port', `must be an integer from 0 to 65535, not '${text}'`)
}

/** Checks that a text is one of the names. @throws ParleyError `config-invalid` that names the flag. */
export function toOneOf<TName extends string>(names: readonly TName[], text: string, flag: string): TName {
  const found = names.find(name => name === text)
  if (found !== undefined) return found
  throw invalid(flag, `must be one of ${names.join(', ')}, not '${text}'`)
}

/** An option that may be repeated. Its value is the list of all given values. */
export function repeatable(flags: string, description: string): Option {
  return new Option(flags, `${description}; may be repeated`).argParser(
    (text: string, before: readonly string[] | undefined) => [...(before ?? []), text],
  )
}

/**
 * Splits `name=value` at the first `=`.
 * @throws ParleyError `config-invalid` that names the flag and the expected `form`.
 */
export function parsePair(text: string, flag: string, form = 'name=value'): readonly [name: string, value: string] {
  const at = text.indexOf('=')
  if (at < 1) throw invalid(flag, `must be ${form}, not '${text}'`)
  return [text.slice(0, at), text.slice(at + 1)]
}

/** Parses a value of `--agent`. @throws ParleyError `config-invalid` if the text is not `name=file.prompty`. */
export function parseAgentFile(text: string): readonly [name: string, file: string] {
  const form = 'name=file.prompty'
  const pair = parsePair(text, '--agent', form)
  if (pair[1] === '') throw invalid('--agent', `must be ${form}, not '${text}'`)
  return pair
}

function invalid(path: string, detail: string): ParleyError {
  return new ParleyError({ code: 'config-invalid', path, detail })
}
