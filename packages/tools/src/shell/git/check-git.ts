import type { CommandCheck, CommandVerdict } from '../shell-policy.ts'
import { allow } from '../grammar/by-grammar.ts'
import { readArguments, writeOptions } from '../grammar/read-arguments.ts'
import { prepareGit } from './prepare-git.ts'
import { listingSubcommands, readingSubcommands, type GitSubcommand } from './reading-subcommands.ts'

const BEFORE = new Set(['--no-pager', '-P', '--no-optional-locks'])
const LISTS: Readonly<Record<string, readonly string[]>> = { tag: ['-l', '--list'], branch: ['--list'] }

/** Allows the subcommands of git that read, on a view of the repository that `prepareGit` makes. */
export const checkGit: CommandCheck = argv => {
  const [program = '', ...args] = argv
  const at = args.findIndex(argument => !BEFORE.has(argument))
  const name = at < 0 ? '' : (args[at] ?? '')
  if (args.length === 1 && (name === '--version' || name === 'version')) return allow({ argv })
  const rest = args.slice(at + 1)
  const found = subcommandOf(name, rest)
  if (found === undefined) {
    const known = Object.keys(readingSubcommands).join(', ')
    return refuse(`may be used here only with one of these subcommands: ${known}.`)
  }
  const { grammar, leading } = found
  const read = readArguments(rest.slice(leading.length), grammar)
  if (typeof read === 'string') return refuse(`${name} ${read}`)
  const head = [program, ...args.slice(0, at), name, ...leading, ...(grammar.added ?? [])]
  const fault = combinationFault(
    grammar,
    read.options.map(option => option.name),
  )
  if (fault !== undefined) return refuse(`${name} ${fault}`)
  return {
    ...allow({ argv: [...head, ...writeOptions(read.options), ...read.operands.map(({ value }) => value)] }),
    prepare: prepareGit({ head, read, grammar }),
  }
}

interface FoundSubcommand {
  readonly grammar: GitSubcommand
  /** Words after the subcommand that belong to its name. */
  readonly leading: readonly string[]
}

function subcommandOf(name: string, rest: readonly string[]): FoundSubcommand | undefined {
  if (name === 'stash') return rest[0] === 'list' ? pick(listingSubcommands, name, ['list']) : undefined
  if (name === 'reflog' && rest[0] === 'show') return pick(readingSubcommands, name, ['show'])
  const lists = (LISTS[name] ?? []).some(option => rest.includes(option))
  return pick(lists ? listingSubcommands : readingSubcommands, name, [])
}

function pick(
  table: Readonly<Record<string, GitSubcommand>>,
  name: string,
  leading: readonly string[],
): FoundSubcommand | undefined {
  const grammar = Object.hasOwn(table, name) ? table[name] : undefined
  return grammar === undefined ? undefined : { grammar, leading }
}

function combinationFault({ shows }: GitSubcommand, names: readonly string[]): string | undefined {
  if (shows === undefined || typeof shows === 'boolean' || !names.includes('--follow')) return undefined
  const showing = names.find(name => shows.has(name))
  // `--follow` takes one path, so denied names could not be left out, and it shows the file under its former names.
  return showing === undefined ? undefined : `may not be used here with '--follow' and '${showing}' together.`
}

function refuse(reason: string): CommandVerdict {
  return { ok: false, reason: `git ${reason}` }
}
