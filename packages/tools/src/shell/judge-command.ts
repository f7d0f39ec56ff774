import { stat } from 'node:fs/promises'
import { ParleyError } from '@parley/core'
import type { Workspace } from '../workspace/workspace.ts'
import { isInside } from '../workspace/path-judge.ts'
import { programName } from './arguments.ts'
import { checkPaths } from './check-paths.ts'
import { findProgram, type FoundProgram } from './find-program.ts'
import type { AllowedVerdict, PreparedCommand, ShellPolicy } from './shell-policy.ts'

export interface JudgeOptions {
  readonly workspace: Workspace
  readonly policy: ShellPolicy
  readonly cwd: string
  /** The search path (`PATH`) for programs. */
  readonly path: string
}

/** A command that the policy allows. Its `release` must be called when it has ended. */
export interface JudgedCommand extends Omit<PreparedCommand, 'argv'> {
  readonly program: string
  /** The program's file after all links are followed. */
  readonly realProgram: string
  readonly args: readonly string[]
}

const MAX_ARGUMENTS = 4_096
const MAX_BYTES = 100_000
const SHELL_SIGNS = new Set(['|', '||', '&&', '&', '>', '>>', '<', '<<', '2>&1', '2>', '&>'])
const TAKES_SIGNS = new Set([
  'test',
  '[',
  'expr',
  'grep',
  'egrep',
  'fgrep',
  'awk',
  'gawk',
  'mawk',
  'rg',
  'tr',
  'printf',
])

/** Returns a sentence that says what is wrong with an argument list itself. `undefined` if it is valid. */
export function argvFault(argv: readonly string[]): string | undefined {
  const [program = ''] = argv
  if (program === '') return "argv is empty. Give the program and its arguments as a list: ['ls', '-l', 'src']."
  if (argv.length > MAX_ARGUMENTS) return `argv has ${argv.length} items; the limit is ${MAX_ARGUMENTS}.`
  if (argv.some(argument => argument.includes('\0'))) return 'argv has a NUL character. Leave it out.'
  if (argv.some(argument => !argument.isWellFormed())) return 'argv has text that is not valid Unicode.'
  const bytes = argv.reduce((sum, argument) => sum + Buffer.byteLength(argument) + 1, 0)
  if (bytes > MAX_BYTES) return `argv has ${bytes} bytes; the limit is ${MAX_BYTES}. Put the data into a file.`
  const sign = argv.find(argument => SHELL_SIGNS.has(argument))
  if (sign !== undefined && !TAKES_SIGNS.has(programName(program))) {
    return `argv has '${sign}', but no shell reads it: run one program per call, without pipes and redirections.`
  }
  if (program === 'cd')
    return "cd has no effect, because no shell keeps a directory between calls. Give 'cwd' with each call."
  if (/\s/.test(program))
    return `'${program.slice(0, 100)}' is not one program. Give each argument as its own item: ['ls', '-l'].`
  return undefined
}

/**
 * Judges a command by its policy, by the files it names and by the program it names, and prepares it.
 * @returns A sentence with the reason if the command may not run.
 */
export async function judgeCommand(argv: readonly string[], options: JudgeOptions): Promise<JudgedCommand | string> {
  const { workspace, policy, cwd, path } = options
  const verdict = policy.check(argv)
  if (!verdict.ok) return verdict.reason
  const pathFault = await checkPaths({ ...verdict, workspace, cwd })
  if (pathFault !== undefined) return pathFault
  // The model may have planted a program in the workspace under a known name, also in another run.
  const roots = [...workspace.roots, ...(workspace.within?.roots ?? [])]
  const isOwn = (place: string): boolean => roots.some(root => isInside(root, place))
  const [name = ''] = verdict.argv
  const program = await findProgram(name, { cwd, path, accepts: directory => !isOwn(directory) })
  if (program === undefined) return `There is no program '${name.slice(0, 100)}' here.`
  if (!name.includes('/') || isOwn(program.realPath)) return prepare(verdict, { ...options, program })
  // Judged again under its real name, because a link can give a program such as sudo another name.
  const again = policy.check([programName(program.realPath), ...argv.slice(1)])
  if (!again.ok) return again.reason
  return (await checkPaths({ ...again, workspace, cwd })) ?? prepare(again, { ...options, program })
}

async function prepare(
  verdict: AllowedVerdict,
  { workspace, cwd, program }: JudgeOptions & { readonly program: FoundProgram },
): Promise<JudgedCommand | string> {
  const scene = { workspace, cwd, program: program.path, argv: verdict.argv }
  const prepared = verdict.prepare === undefined ? { argv: verdict.argv } : await verdict.prepare(scene)
  if (typeof prepared === 'string') return prepared
  const { argv, ...rest } = prepared
  return { ...rest, program: program.path, realProgram: program.realPath, args: argv.slice(1) }
}

/** Resolves the directory that a command runs in. @throws ParleyError `path-refused`. */
export async function resolveDirectory(workspace: Workspace, cwd: string): Promise<string> {
  const { path } = await workspace.resolve(cwd)
  if ((await stat(path)).isDirectory()) return path
  throw new ParleyError({
    code: 'path-refused',
    path: cwd,
    reason: 'unusable',
    detail: 'it is a file, not a directory.',
  })
}
