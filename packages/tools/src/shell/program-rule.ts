import { isOption, operandsOf, valuesOf } from './arguments.ts'
import type { CommandVerdict } from './shell-policy.ts'

/** What a program may be given when it may only read. */
export interface ProgramRule {
  /** The only options it may have. @default any but those refused */
  readonly options?: readonly string[]
  readonly refusedOptions?: readonly string[]
  /** @default any number */
  readonly maxOperands?: number
  /** What its first operand must look like. */
  readonly firstOperand?: RegExp
  /** What no operand may look like. */
  readonly refusedOperand?: RegExp
  /** How many of its first operands are text and name no file. @default 0 */
  readonly textOperands?: number
  /** With one of these options, its first operands are files after all. */
  readonly textOptions?: readonly string[]
  /** Its first operand is one of these, with a rule of its own. */
  readonly subcommands?: Readonly<Record<string, ProgramRule>>
  /** Options put before those given. */
  readonly added?: readonly string[]
}

export type ProgramRules = Readonly<Record<string, ProgramRule>>

/** Judges a command by the rule of its program. What the rule does not foresee is refused. */
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

/** Options of the program itself come before the subcommand; only those the rule names may. */
function checkSubcommand(argv: readonly string[], { subcommands = {}, options = [] }: ProgramRule): CommandVerdict {
  const [program = '', ...rest] = argv
  const at = rest.findIndex(argument => !options.includes(argument))
  const name = at < 0 ? '' : (rest[at] ?? '')
  const rule = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined
  if (rule === undefined) {
    const known = Object.keys(subcommands).join(', ')
    return { ok: false, reason: `${program} may be used here only with one of these right after it: ${known}.` }
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
    // Only once: the same word again is a file.
    text.delete(argument)
    return []
  })
}
