import { foundWords } from './found-words.ts'
import { isSchema } from './is-schema.ts'

type Test = readonly [must: string, holds: (value: unknown) => boolean]

const KINDS = {
  any: ['anything', () => true],
  null: ['null', value => value === null],
  string: ['a string', value => typeof value === 'string'],
  number: ['a number', value => typeof value === 'number'],
  boolean: ['true or false', value => typeof value === 'boolean'],
  function: ['a function', value => typeof value === 'function'],
  object: ['an object', isObject],
  list: ['a list', value => Array.isArray(value)],
  strings: ['a list of strings', value => Array.isArray(value) && value.every(item => typeof item === 'string')],
  signal: ['an AbortSignal', hasMethod('addEventListener')],
  clock: ['a clock: an object with now and after', value => hasMethod('now')(value) && hasMethod('after')(value)],
  model: ["a model (made by a provider: provider.model('ID'))", hasMethod('stream')],
  store: ['a store', hasMethod('append')],
  tool: ['a tool, of defineTool', hasMethod('execute')],
  schema: ['a schema: z.object({ … }), one of another Standard Schema library, or a JSON Schema object', isSchema],
} satisfies Record<string, Test>

type Word = keyof typeof KINDS

/** Names of kinds. */
export type KindName = Word | `${Word}!` | `${Word} or ${Word}` | `${Word} or ${Word}!`

/**
 * What an option must be: a kind by name, one of several values, or the options of an object. `string or function` allows
 * both kinds; a required option ends with `!`.
 */
export type OptionKind = KindName | readonly unknown[] | OptionTable

/** Kinds of options by name. */
export interface OptionTable {
  readonly [option: string]: OptionKind
}

/** The kind of each field of an options interface. The compiler rejects a table without one of the fields. */
export type OptionKinds<TOptions> = { readonly [TName in keyof TOptions]-?: OptionKind }

/** A test of a value, and the words of the error. */
export interface KindTest {
  readonly holds: (value: unknown) => boolean
  readonly must: string
  readonly found: (value: unknown) => string
  readonly isRequired: boolean
}

/** Returns the test of a kind, which is a name or a list of values. */
export function kindOf(kind: KindName | readonly unknown[]): KindTest {
  if (typeof kind !== 'string')
    return { holds: value => kind.includes(value), must: inWords(kind.map(String)), found: show, isRequired: false }
  const isRequired = kind.endsWith('!')
  const tests = (isRequired ? kind.slice(0, -1) : kind).split(' or ').map(word => KINDS[word as Word])
  const [first] = tests
  const holds =
    first !== undefined && tests.length === 1 ? first[1] : (value: unknown) => tests.some(([, test]) => test(value))
  return { holds, must: tests.map(([must]) => must).join(' or '), found: foundWords, isRequired }
}

/** Whether a kind is the table of a nested object. */
export function isTable(kind: OptionKind): kind is OptionTable {
  return typeof kind === 'object' && !Array.isArray(kind)
}

/** Whether a value is an object with named fields. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasMethod(method: string): (value: unknown) => boolean {
  return value => isObject(value) && typeof value[method] === 'function'
}

/** Shows a string, because an option with few values never holds a secret. */
function show(value: unknown): string {
  return typeof value === 'string' ? `'${value.slice(0, 40)}'` : foundWords(value)
}

function inWords(values: readonly string[]): string {
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
}
