import { allow } from '../grammar/by-grammar.ts'
import type { CommandCheck, CommandVerdict } from '../shell-policy.ts'

/** Parts of an expression of `find` without a value, with a text, and with a file. None of them writes, runs or follows links. */
const PLAIN = new Set(
  (
    '-empty -print -print0 -ls -prune -depth -d -mount -xdev -true -false -not ! ( ) -a -and -o -or , -nouser -nogroup -quit ' +
    '-daystart -noleaf -ignore_readdir_race -noignore_readdir_race -warn -nowarn -readable -writable -executable'
  ).split(' '),
)
const WITH_TEXT = new Set(
  (
    '-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -size -mtime -atime -ctime -mmin -amin -cmin ' +
    '-perm -maxdepth -mindepth -user -group -uid -gid -links -inum -printf -fstype -used -lname -ilname'
  ).split(' '),
)
const WITH_FILE = new Set(['-newer', '-anewer', '-cnewer', '-samefile'])
const NEWER = /^-newer[aBcm]([aBcmt])$/

export interface FindParts {
  /** Where the search starts. */
  readonly starts: readonly string[]
  readonly expression: readonly string[]
}

/** Splits the arguments of `find` into the directories and the expression. */
export function splitFind(args: readonly string[]): FindParts {
  const at = args.findIndex(argument => argument.startsWith('-') || ['(', '!', ',', ')'].includes(argument))
  return at < 0 ? { starts: args, expression: [] } : { starts: args.slice(0, at), expression: args.slice(at) }
}

/** Allows `find` with tests and with actions that print. */
export const checkFind: CommandCheck = argv => {
  const { starts, expression } = splitFind(argv.slice(1))
  if (argv.length === 2 && argv[1] === '--version') return allow({ argv })
  const files: string[] = []
  for (let at = 0; at < expression.length; at++) {
    const fault = readPart(expression, at, files)
    if (typeof fault === 'string') return refuse(fault)
    at += fault
  }
  return allow({ argv, paths: [...starts, ...files] })
}

/** Returns how many values follow a part of the expression, or why it may not be used. */
function readPart(expression: readonly string[], at: number, files: string[]): number | string {
  const part = expression[at] ?? ''
  if (PLAIN.has(part)) return 0
  const newer = NEWER.exec(part)
  const takesFile = WITH_FILE.has(part) || (newer !== null && newer[1] !== 't')
  if (!takesFile && newer === null && !WITH_TEXT.has(part)) return `may not be used here with '${part}'.`
  const value = expression[at + 1]
  if (value === undefined) return `requires a value after '${part}'.`
  if (takesFile) files.push(value)
  return 1
}

function refuse(reason: string): CommandVerdict {
  return { ok: false, reason: `find ${reason}` }
}
