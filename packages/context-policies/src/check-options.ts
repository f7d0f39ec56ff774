import { ParleyError } from '@parley/core'

/** Kinds of number options: a positive integer, an integer of at least 0, or a number from 0 to 1. */
export type NumberKind = 'count' | 'whole' | 'share'

const KINDS: Readonly<Record<NumberKind, readonly [test: (value: number) => boolean, words: string]>> = {
  count: [value => value === Infinity || (Number.isInteger(value) && value > 0), 'a positive integer'],
  whole: [value => value === Infinity || (Number.isInteger(value) && value >= 0), 'an integer of 0 or above'],
  share: [value => value >= 0 && value <= 1, 'a number from 0 to 1'],
}

/**
 * Checks the names and the values of a policy's options.
 * @throws ParleyError `config-invalid` if an option is unknown or invalid; the error names it.
 */
export function checkOptions(
  policy: string,
  options: object,
  known: Readonly<Record<string, NumberKind | 'string' | 'boolean' | 'function' | 'model' | 'scope'>>,
): void {
  for (const [name, value] of Object.entries(options)) {
    const kind = known[name]
    const refuse = (detail: string): never => {
      throw new ParleyError({ code: 'config-invalid', path: `${policy}.${name}`, detail })
    }
    if (kind === undefined) refuse(`is unknown; known: ${Object.keys(known).join(', ')}`)
    else if (value !== undefined) checkValue(value, kind, refuse)
  }
}

function checkValue(value: unknown, kind: string, refuse: (detail: string) => never): void {
  if (kind === 'scope') {
    if (value !== 'token-budget' && !isNumber(value, 'whole'))
      refuse(`is ${String(value)}; must be 'token-budget' or ${KINDS.whole[1]}`)
  } else if (kind === 'model') {
    if (typeof (value as { stream?: unknown } | null)?.stream !== 'function') refuse('must be a model')
  } else if (kind in KINDS) {
    const of = kind as NumberKind
    if (!isNumber(value, of)) refuse(`is ${String(value)}; must be ${KINDS[of][1]}`)
  } else if (typeof value !== kind) refuse(`is ${String(value)}; must be a ${kind}`)
}

function isNumber(value: unknown, kind: NumberKind): boolean {
  return typeof value === 'number' && KINDS[kind][0](value)
}
