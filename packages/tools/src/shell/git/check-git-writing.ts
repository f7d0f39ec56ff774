import { basename } from 'node:path'
import { isInside } from '../../workspace/path-judge.ts'
import { byGrammar } from '../grammar/by-grammar.ts'
import type { CommandCheck, CommandScene, PreparedCommand } from '../shell-policy.ts'
import { checkGit } from './check-git.ts'
import { findRepository } from './find-repository.ts'
import { gitSettings, noRepository } from './git-environment.ts'
import { writingSubcommands } from './writing-subcommands.ts'

/** Allows what `checkGit` allows, and the subcommands that change a repository. */
export const checkGitWriting: CommandCheck = argv => {
  const reading = checkGit(argv)
  if (reading.ok) return reading
  const [program = '', ...args] = argv
  const at = args.findIndex(argument => argument !== '--no-pager' && argument !== '-P')
  const name = at < 0 ? '' : (args[at] ?? '')
  const grammar = Object.hasOwn(writingSubcommands, name) ? writingSubcommands[name] : undefined
  if (grammar === undefined) return reading
  const verdict = byGrammar({ dashes: 'as-given', ...grammar })([`git ${name}`, ...args.slice(at + 1)])
  if (!verdict.ok) return verdict
  const creates = name === 'init' || name === 'clone'
  return {
    ...verdict,
    argv: [program, ...args.slice(0, at), name, ...verdict.argv.slice(1)],
    prepare: scene => prepareWriting(scene, { creates, credentials: TRANSFERS.has(name) }),
  }
}

/** Settings that keep git from running what a repository's own configuration names, also its hooks. */
const environment: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_ALLOW_PROTOCOL: 'https:http:ssh:git',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  ...gitSettings([
    ['core.fsmonitor', 'false'],
    ['core.hooksPath', '/dev/null'],
    ['core.sshCommand', 'ssh'],
    ['core.gitProxy', ''],
    ['core.askPass', ''],
    ['core.alternateRefsCommand', 'true'],
    ['gpg.program', 'false'],
    ['gpg.ssh.program', 'false'],
    ['commit.gpgSign', 'false'],
    ['tag.gpgSign', 'false'],
    ['submodule.recurse', 'false'],
    ['diff.ignoreSubmodules', 'all'],
    ['init.templateDir', ''],
    ['safe.bareRepository', 'explicit'],
  ]),
}

const TRANSFERS = new Set(['push', 'pull', 'fetch', 'clone'])

/**
 * Prepares a subcommand that changes a repository. It needs the repository's own configuration. So the directory must
 * have the name `.git`, below which tools that write files must not change the configuration.
 */
async function prepareWriting(
  { workspace, cwd, argv }: CommandScene,
  { creates, credentials }: { readonly creates: boolean; readonly credentials: boolean },
): Promise<PreparedCommand | string> {
  if (creates) return { argv, environment, credentials }
  const repository = await findRepository(workspace, cwd)
  if (typeof repository === 'string') return repository
  if (repository === undefined) return noRepository
  const { workTree, gitDir, commonDir } = repository
  if (basename(commonDir) !== '.git' || !isInside(commonDir, gitDir)) {
    return 'This git repository has its data in an unusual place. It may only be read here.'
  }
  return { argv, environment: { ...environment, GIT_DIR: gitDir, GIT_WORK_TREE: workTree }, credentials }
}
