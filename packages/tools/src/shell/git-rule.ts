import type { ProgramRule } from './program-rule.ts'

const REFUSED = (
  '--output --ext-diff --textconv --no-index --exec-path --upload-pack --open-files-in-pager ' +
  '--show-signature --filters --git-dir --work-tree --config-env --batch --batch-check --batch-command --exec'
).split(' ')
const reading: ProgramRule = { refusedOptions: REFUSED }
const comparing: ProgramRule = { refusedOptions: REFUSED, added: ['--no-ext-diff', '--no-textconv'] }
const listing = (options: string): ProgramRule => ({ options: options.split(' '), maxOperands: 0 })

/** The reading subcommands of git. They trust the repository's own configuration, which can name programs to run. */
export const gitRule: ProgramRule = {
  options: ['--no-pager', '-P', '--no-optional-locks'],
  subcommands: {
    status: reading,
    diff: comparing,
    log: comparing,
    show: comparing,
    blame: reading,
    'ls-files': reading,
    'ls-tree': reading,
    'rev-parse': reading,
    'rev-list': reading,
    'merge-base': reading,
    describe: reading,
    shortlog: reading,
    'show-ref': reading,
    'cat-file': reading,
    branch: listing('-a -r -v --all --remotes --list --show-current --verbose'),
    tag: listing('-l -n --list'),
    remote: listing('-v --verbose'),
  },
}

const CONFIGURATION: readonly (readonly [string, string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.alternateRefsCommand', 'true'],
  ['gpg.program', 'false'],
  ['log.showSignature', 'false'],
  ['submodule.recurse', 'false'],
  ['diff.ignoreSubmodules', 'all'],
]

/** Keeps git from taking locks, fetching, prompting and running the programs that these configuration keys name. */
export const gitEnvironment: Readonly<Record<string, string>> = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_COUNT: String(CONFIGURATION.length),
  ...Object.fromEntries(
    CONFIGURATION.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
}
