import { isUrl } from './arguments.ts'
import { gitEnvironment } from './git/git-environment.ts'
import { lookupPrograms, readingPrograms, type ProgramTable } from './programs/reading-programs.ts'
import type { CommandVerdict, ShellPolicy } from './shell-policy.ts'

const LIMITS = { cpuSeconds: 30, memoryBytes: 1_000_000_000, fileBytes: 0 }
const ALL: ProgramTable = { ...readingPrograms, ...lookupPrograms }

function checkTable(argv: readonly string[], programs: ProgramTable): CommandVerdict {
  const [program = ''] = argv
  const check = Object.hasOwn(programs, program) ? programs[program] : undefined
  if (check === undefined) {
    const known = Object.keys(programs).join(', ')
    return {
      ok: false,
      reason: `'${program.slice(0, 100)}' is not one of the programs that may run here: ${known}.`,
    }
  }
  const url = argv.find(isUrl)
  if (url !== undefined)
    return { ok: false, reason: `'${url.slice(0, 100)}' is a URL. Use a tool that fetches URLs, if there is one.` }
  return check(argv)
}

/**
 * A policy that allows a list of programs that read files of the workspace, and programs that look names up in the network. Each
 * program may get only options that are known to read. It runs only programs outside the workspace. Git ignores the repository's
 * own configuration and leaves denied names out of what it shows.
 */
export const readOnlyPolicy: ShellPolicy = {
  name: 'read-only',
  description: 'Only programs that read are allowed, on files of the workspace.',
  check: argv => checkTable(argv, ALL),
  files: 'read',
  network: 'inherit',
  limits: LIMITS,
  environment: { ...gitEnvironment, PAGER: 'cat' },
}

/** Like `readOnlyPolicy`, but without programs that use the network. */
export const noNetworkPolicy: ShellPolicy = {
  ...readOnlyPolicy,
  name: 'no-network',
  description: 'Only programs that read are allowed, on files of the workspace, without the network.',
  check: argv => checkTable(argv, readingPrograms),
  network: 'none',
}
