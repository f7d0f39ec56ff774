import { checkOptions, refuseOption, type OptionKind, type OptionKinds } from '@parley/core'

/** Kinds of number options: a positive integer, an integer of at least 0, or a number from 0 to 1. */
export type NumberKind = 'count' | 'whole' | 'share'

const KINDS: Readonly<Record<NumberKind, readonly [test: (value: number) => boolean, words: string]>> = {
  count: [value => value === Infinity || (Number.isInteger(value) && value > 0), 'a positive integer'],
  whole: [value => value === Infinity || (Number.isInteger(value) && value >= 0), 'an integer of 0 or above'],
  share: [value => value >= 0 && value <= 1, 'a number from 0 to 1'],
}

/** The kind of each option of a policy. A kind of number also gives the range of the option. */
export type PolicyTable<TOptions> = { readonly [TName in keyof TOptions]-?: OptionKind | NumberKind }

/**
 * Checks the names, types and ranges of a policy's options.
 * @throws ParleyError `config-invalid` if an option is unknown or invalid; the error names it.
 */
export function checkPolicy<TOptions>(policy: string, options: TOptions & object, table: PolicyTable<TOptions>): void {
  checkOptions(policy, options, typesOf(table))
  for (const [name, kind] of Object.entries<OptionKind | NumberKind>(table)) {
    const value: unknown = options[name as keyof TOptions]
    if (typeof value !== 'number' || !isNumberKind(kind)) continue
    const [holds, words] = KINDS[kind]
    if (!holds(value)) refuseOption(`${policy}.${name}`, `is ${value}; must be ${words}`)
  }
}

function typesOf<TOptions>(table: PolicyTable<TOptions>): OptionKinds<TOptions> {
  const types = Object.entries<OptionKind | NumberKind>(table).map(([name, kind]) => [
    name,
    isNumberKind(kind) ? 'number' : kind,
  ])
  return Object.fromEntries(types) as OptionKinds<TOptions>
}

function isNumberKind(kind: unknown): kind is NumberKind {
  return typeof kind === 'string' && kind in KINDS
}
