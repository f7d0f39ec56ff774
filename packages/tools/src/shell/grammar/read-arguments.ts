import { compileGrammar, KINDS, type OptionRule, type ProgramGrammar, type ValueKind } from './program-grammar.ts'

/** An option as the program will read it. */
export interface ReadOption {
  readonly name: string
  readonly value?: string
  readonly kind?: ValueKind | undefined
}

export interface ReadOperand {
  readonly value: string
  readonly kind: ValueKind
}

/** Arguments that fit a grammar. */
export interface ReadArguments {
  readonly options: readonly ReadOption[]
  readonly operands: readonly ReadOperand[]
  /** How many of the operands came before `--`. All, if there is none. */
  readonly beforeDashes: number
}

/** Reads arguments by a grammar. If they do not fit, returns the reason, to be appended to the program's name. */
export function readArguments(args: readonly string[], grammar: ProgramGrammar): ReadArguments | string {
  const options: ReadOption[] = []
  const plain: string[] = []
  let dashes: number | undefined
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] ?? ''
    if (dashes !== undefined || argument === '-' || !argument.startsWith('-')) plain.push(argument)
    else if (argument === '--') dashes = plain.length
    else {
      const read = readOption(argument, args[at + 1], grammar)
      if (typeof read === 'string') return read
      options.push(...read.options)
      if (read.tookNext) at++
    }
  }
  const fault = options.map(valueFault).find(one => one !== undefined)
  if (fault !== undefined) return fault
  const operands = readOperands(plain, options, grammar)
  return typeof operands === 'string' ? operands : { options, operands, beforeDashes: dashes ?? plain.length }
}

interface Reading {
  readonly options: readonly ReadOption[]
  readonly tookNext: boolean
}

function readOption(argument: string, next: string | undefined, grammar: ProgramGrammar): Reading | string {
  const { options } = compileGrammar(grammar)
  const [name, joined] = splitOnce(argument)
  const rule = options.get(name)
  if (argument.startsWith('--') || (name.length > 2 && rule !== undefined)) {
    if (rule === undefined) return unknown(argument, grammar)
    return readValued({ name, joined, next, rule })
  }
  if (/^-\d+$/.test(argument) && grammar.digits !== undefined) {
    return { options: [{ name: grammar.digits, value: argument.slice(1), kind: 'number' }], tookNext: false }
  }
  return readLetters(argument, next, grammar)
}

interface Valued {
  readonly name: string
  readonly joined: string | undefined
  readonly next: string | undefined
  readonly rule: OptionRule
}

function readValued({ name, joined, next, rule }: Valued): Reading | string {
  const { kind, optional } = rule
  if (kind === undefined)
    return joined === undefined ? { options: [{ name }], tookNext: false } : `takes no value for '${name}'.`
  if (joined !== undefined) return { options: [{ name, value: joined, kind }], tookNext: false }
  if (optional) return { options: [{ name }], tookNext: false }
  if (next === undefined) return `requires a value after '${name}'.`
  return { options: [{ name, value: next, kind }], tookNext: true }
}

/** Reads `-la` as `-l` and `-a`, and `-n5` as `-n` with the value 5. */
function readLetters(argument: string, next: string | undefined, grammar: ProgramGrammar): Reading | string {
  const { options } = compileGrammar(grammar)
  const found: ReadOption[] = []
  for (let at = 1; at < argument.length; at++) {
    const name = `-${argument[at]}`
    const rule = options.get(name)
    if (rule === undefined) return unknown(argument, grammar)
    const { kind, optional } = rule
    const rest = argument.slice(at + 1)
    if (kind === undefined) found.push({ name })
    else if (rest !== '') return { options: [...found, { name, value: rest, kind }], tookNext: false }
    else if (optional) found.push({ name })
    else if (next === undefined) return `requires a value after '${name}'.`
    else return { options: [...found, { name, value: next, kind }], tookNext: true }
  }
  return { options: found, tookNext: false }
}

function readOperands(
  plain: readonly string[],
  options: readonly ReadOption[],
  grammar: ProgramGrammar,
): readonly ReadOperand[] | string {
  const { operands: kinds, repeats } = compileGrammar(grammar)
  const { replacesFirst = [] } = grammar
  const left = options.some(({ name }) => replacesFirst.includes(name)) ? kinds.slice(1) : kinds
  if (plain.length > left.length && !repeats) return `may be used here with at most ${left.length} operands.`
  const operands = plain.map((value, index) => ({ value, kind: left[Math.min(index, left.length - 1)] ?? 'path' }))
  const bad = operands.find(
    ({ value, kind }) =>
      value !== '-' && (!KINDS[kind].test(value) || (grammar.dashes === false && value.startsWith('-'))),
  )
  return bad === undefined ? operands : `may not be used here with '${bad.value}'.`
}

function valueFault({ name, value, kind }: ReadOption): string | undefined {
  if (value === undefined || kind === undefined || KINDS[kind].test(value)) return undefined
  return `may not be used here with '${name}' and the value '${value}'.`
}

function unknown(argument: string, grammar: ProgramGrammar): string {
  const known = [...compileGrammar(grammar).options.keys()].join(' ')
  return `may be used here only with the options ${known || '(none)'}, not '${argument}'.`
}

function splitOnce(argument: string): readonly [string, string | undefined] {
  const at = argument.indexOf('=')
  return at < 0 ? [argument, undefined] : [argument.slice(0, at), argument.slice(at + 1)]
}

/**
 * Writes options as arguments that a program cannot read in another way: each value is attached to its option, and the
 * operands follow in their own place after all options.
 */
export function writeOptions(options: readonly ReadOption[]): readonly string[] {
  return options.flatMap(({ name, value }) => {
    if (value === undefined) return [name]
    if (name.startsWith('--')) return [`${name}=${value}`]
    return name.length > 2 || value === '' ? [name, value] : [`${name}${value}`]
  })
}
