import { refuseOption } from '../errors/refuse-option.ts'
import { foundWords } from './found-words.ts'
import { meantOption } from './meant-option.ts'
import { isObject, isTable, kindOf, type KindTest, type OptionTable } from './option-kind.ts'

/**
 * Checks the names and types of options. A factory calls it first; ranges are checked after it:
 *
 *     const OPTIONS: OptionKinds<QueueOptions> = { name: 'string!', timeoutMs: 'number', onFull: ['wait', 'refuse'] }
 *     checkOptions('createQueue', options, OPTIONS)
 *     // createQueue.timeout: is an unknown option; did you mean 'timeoutMs'?
 *
 * @param where The function that the options are given to, or the path of the object.
 * @throws ParleyError `config-invalid` if an option is unknown, has a wrong type or is missing.
 */
export function checkOptions(where: string, options: unknown, kinds: OptionTable): void {
  if (!isObject(options)) return refuseOption(where, `is ${foundWords(options)}; must be an object`)
  const table = compile(kinds)
  // Not `Object.entries`, which builds a list for each run.
  for (const name in options) {
    const kind = table.kinds.get(name)
    if (kind === undefined) return refuseOption(below(where, name), `is an unknown option; ${meantOption(name, kinds)}`)
    const value = options[name]
    if (value === undefined) continue
    if (!('holds' in kind)) checkOptions(below(where, name), value, kind.table)
    else if (!kind.holds(value)) refuseOption(below(where, name), `is ${kind.found(value)}; must be ${kind.must}`)
  }
  for (const [name, must] of table.required) {
    if (options[name] === undefined) refuseOption(below(where, name), `is missing; must be ${must}`)
  }
}

interface CompiledTable {
  readonly kinds: ReadonlyMap<string, KindTest | { readonly table: OptionTable }>
  readonly required: readonly (readonly [name: string, must: string])[]
}

const compiled = new WeakMap<OptionTable, CompiledTable>()

function compile(table: OptionTable): CompiledTable {
  const known = compiled.get(table)
  if (known !== undefined) return known
  const kinds = new Map<string, KindTest | { readonly table: OptionTable }>()
  const required: [string, string][] = []
  for (const [name, kind] of Object.entries(table)) {
    const test = isTable(kind) ? { table: kind } : kindOf(kind)
    kinds.set(name, test)
    if ('isRequired' in test && test.isRequired) required.push([name, test.must])
  }
  const result = { kinds, required }
  compiled.set(table, result)
  return result
}

function below(where: string, name: string): string {
  return where === '' ? name : `${where}.${name}`
}
