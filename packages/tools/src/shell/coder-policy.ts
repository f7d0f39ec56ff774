import { programName, valuesOf } from './arguments.ts'
import { changingPrograms } from './programs/changing-programs.ts'
import { findWithActions } from './programs/check-find-actions.ts'
import { developerFault, isDeveloperTool } from './programs/developer-tools.ts'
import { checkGitWriting } from './git/check-git-writing.ts'
import { readingPrograms, type ProgramTable } from './programs/reading-programs.ts'
import { refusalOfProgram } from './programs/refused-programs.ts'
import type { CommandVerdict, ShellPolicy } from './shell-policy.ts'
import { wrapperCheck } from './programs/wrapper-programs.ts'

const PROGRAMS: ProgramTable = {
  ...readingPrograms,
  ...changingPrograms,
  find: findWithActions(check),
  git: checkGitWriting,
}

/**
 * Judges what a command line shows. It allows known programs with known options, developer tools, and programs of the workspace. A
 * program of the workspace can do everything that the sandbox allows or, without a sandbox, that this process is allowed to do.
 */
function check(argv: readonly string[]): CommandVerdict {
  const [program = ''] = argv
  const name = programName(program)
  const refused = refusalOfProgram(name)
  if (refused !== undefined) return { ok: false, reason: `'${name}' may not run here: ${refused}` }
  if (program.includes('/')) return checkDeveloper(argv)
  // A developer tool that the policies for reading allow only to print its version is more here.
  if (isDeveloperTool(name)) return checkDeveloper(argv)
  const own = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : wrapperCheck(name, check)
  if (own !== undefined) return own(argv)
  return {
    ok: false,
    reason: `'${name.slice(0, 100)}' is not one of the programs that may run here. Use a program of the workspace, or a file of commands.`,
  }
}

/** Judges a developer tool or a program of the workspace: no code on the command line, and no files outside. */
function checkDeveloper(argv: readonly string[]): CommandVerdict {
  const fault = developerFault(argv)
  if (fault !== undefined) return { ok: false, reason: fault }
  const [program = '', ...args] = argv
  const named = program.includes('/') ? [program] : []
  return {
    ok: true,
    argv,
    paths: [],
    systemPaths: [...named, ...args.flatMap(valuesOf).filter(value => value !== '')],
    protectsRoots: false,
  }
}

/**
 * A policy for agents that write and run code. It allows known programs, developer tools and programs of the workspace. It refuses
 * programs that control the machine, send data or outlive the call, and code on the command line. Files must lie in the workspace;
 * developer tools may also name files in system folders. Git runs without hooks.
 */
export const coderPolicy: ShellPolicy = {
  name: 'coder',
  description:
    'Developer tools, common programs for files, and programs of the workspace may run, on files of the workspace. Code on the command line may not.',
  check,
  files: 'write',
  network: 'inherit',
  limits: { cpuSeconds: 600, fileBytes: 2_000_000_000 },
  environment: { GIT_TERMINAL_PROMPT: '0', PAGER: 'cat', GIT_PAGER: 'cat' },
}
