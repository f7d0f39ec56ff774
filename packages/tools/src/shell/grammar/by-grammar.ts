import { programName } from '../arguments.ts'
import type { CommandCheck, PrepareCommand } from '../shell-policy.ts'
import { namesFile, type ProgramGrammar } from './program-grammar.ts'
import { readArguments, writeOptions, type ReadArguments } from './read-arguments.ts'

export interface GrammarRule extends ProgramGrammar {
  /** Options to add before the requested ones. @default none */
  readonly added?: readonly string[]
  /** Whether to refuse the command if it names a root of the workspace itself. @default false */
  readonly protectsRoots?: boolean
  /**
   * Returns a check that runs after the grammar has accepted the command. Unlike the grammar, it may read the disk.
   * @default none
   */
  readonly prepare?: (read: ReadArguments) => PrepareCommand | undefined
}

/**
 * Creates a check that allows exactly the arguments of a grammar, and rewrites them so that the program cannot
 * interpret them in another way.
 */
export function byGrammar(rule: GrammarRule): CommandCheck {
  return argv => {
    const [program = '', ...args] = argv
    if (args.length === 1 && (args[0] === '--version' || args[0] === '--help')) return allow({ argv })
    const read = readArguments(args, rule)
    if (typeof read === 'string') return { ok: false, reason: `${programName(program)} ${read}` }
    return {
      ...allow({ argv: [program, ...(rule.added ?? []), ...writeArguments(read, rule)], paths: filesOf(read) }),
      protectsRoots: rule.protectsRoots === true,
      prepare: rule.prepare?.(read),
    }
  }
}

/** The verdict that a command may run. */
export function allow({ argv, paths = [] }: { argv: readonly string[]; paths?: readonly string[] }) {
  return { ok: true, argv, paths, systemPaths: [], protectsRoots: false } as const
}

function writeArguments(read: ReadArguments, { dashes = true }: ProgramGrammar): readonly string[] {
  const { options, operands, beforeDashes } = read
  const values = operands.map(({ value }) => value)
  const at = dashes === 'as-given' ? beforeDashes : 0
  const isWritten = dashes === 'as-given' ? at < values.length : dashes && values.length > 0
  return [...writeOptions(options), ...values.slice(0, at), ...(isWritten ? ['--'] : []), ...values.slice(at)]
}

/** Returns every value that could name a file. */
function filesOf({ options, operands }: ReadArguments): readonly string[] {
  return [...options, ...operands].flatMap(({ value, kind }) =>
    value !== undefined && value !== '-' && kind !== undefined && namesFile(kind) ? [value] : [],
  )
}
