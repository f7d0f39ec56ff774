import { isOption, operandsOf, valuesOf } from './arguments.ts'
import type { CommandVerdict } from './shell-policy.ts'

/** The arguments that a program may get, so that it only reads. */
export interface ProgramRule {
  /** The only allowed options. @default any except `refusedOptions` */
  readonly options?: readonly string[]
  /** Options that are refused. @default none */
  readonly refusedOptions?: readonly string[]
  /** Maximum number of operands. @default any number */
  readonly maxOperands?: number
  /** Pattern that the first operand must match. @default any operand */
  readonly firstOperand?: RegExp
  /** Pattern of refused operands. @default none */
  readonly refusedOperand?: RegExp
  /** How many of the first operands are text and do not name files. @default 0 */
  readonly textOperands?: number
  /** Options that make all operands file names, despite `textOperands`. @default none */
  readonly textOptions?: readonly string[]
  /** Allowed first operands, each with its own rule. @default none: the program has no subcommands */
  readonly subcommands?: Readonly<Record<string, ProgramRule>>
  /** Options to add before the requested arguments. @default none */
  readonly added?: readonly string[]
}

export type ProgramRules = Readonly<Record<string, ProgramRule>>

/** Judges a command by the rule of its program. */
export function checkRule(argv: readonly string[], rule: ProgramRule): CommandVerdict {
  if (rule.subcommands !== undefined) return checkSubcommand(argv, rule)
  const fault = faultOf(argv, rule)
  if (fault !== undefined) return { ok: false, reason: `${argv[0] ?? ''} ${fault}` }
  const [program = '', ...rest] = argv
  return {
    ok: true,
    argv: [program, ...(rule.added ?? []), ...rest],
    paths: filesOf(argv, rule),
    systemPaths: [],
    protectsRoots: false,
  }
}

/** Judges a subcommand by its own rule. Before it, only the options that the program's rule names are allowed. */
function checkSubcommand(argv: readonly string[], { subcommands = {}, options = [] }: ProgramRule): CommandVerdict {
  const [program = '', ...rest] = argv
  const at = rest.findIndex(argument => !options.includes(argument))
  const name = at < 0 ? '' : (rest[at] ?? '')
  const rule = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined
  if (rule === undefined) {
    const known = Object.keys(subcommands).join(', ')
    return { ok: false, reason: `${program} may be used here only with one of these subcommands: ${known}.` }
  }
  const verdict = checkRule([`${program} ${name}`, ...rest.slice(at + 1)], rule)
  if (!verdict.ok) return verdict
  return { ...verdict, argv: [program, ...rest.slice(0, at), name, ...verdict.argv.slice(1)] }
}

function faultOf(argv: readonly string[], rule: ProgramRule): string | undefined {
  const { options, refusedOptions = [], maxOperands = Infinity, firstOperand, refusedOperand } = rule
  const operands = operandsOf(argv)
  const refused = argv.slice(1).find(argument => refusedOptions.some(option => isOption(argument, option)))
  if (refused !== undefined) return `may not be used here with '${refused}', which could do more than read.`
  const unknown = argv.slice(1).find(argument => options !== undefined && !isAllowed(argument, options))
  if (unknown !== undefined)
    return `may be used here only with the options ${options?.join(', ') || '(none)'}, not '${unknown}'.`
  if (operands.length > maxOperands) return `may be used here with at most ${maxOperands} operands.`
  if (firstOperand !== undefined && !firstOperand.test(operands[0] ?? ''))
    return `may not be used here with '${operands[0] ?? ''}'.`
  const bad = operands.find(operand => refusedOperand?.test(operand) === true)
  return bad === undefined ? undefined : `may not be used here with '${bad}'.`
}

function isAllowed(argument: string, options: readonly string[]): boolean {
  if (!argument.startsWith('-') || argument === '-' || argument === '--') return true
  if (options.includes(argument.split('=', 1)[0] ?? '')) return true
  return (
    /^-[A-Za-z]+$/.test(argument) &&
    argument
      .slice(1)
      .split('')
      .every(letter => options.includes(`-${letter}`))
  )
}

function filesOf(argv: readonly string[], { textOperands = 0, textOptions = [] }: ProgramRule): readonly string[] {
  if (textOperands === Infinity) return []
  const hasTextOption = argv.slice(1).some(argument => textOptions.some(option => isOption(argument, option)))
  const text = new Set(operandsOf(argv).slice(0, hasTextOption ? 0 : textOperands))
  return argv.slice(1).flatMap(argument => {
    if (!text.has(argument)) return valuesOf(argument)
    // Only the first occurrence is text. The same word again is a file.
    text.delete(argument)
    return []
  })
}
