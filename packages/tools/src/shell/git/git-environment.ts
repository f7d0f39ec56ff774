/** Settings that outweigh every configuration file. They keep git from running programs and from reading further files. */
const SETTINGS: readonly (readonly [string, string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['core.askPass', 'false'],
  ['core.sshCommand', 'false'],
  ['core.attributesFile', '/dev/null'],
  ['core.excludesFile', '/dev/null'],
  ['core.alternateRefsCommand', 'true'],
  ['gpg.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['log.showSignature', 'false'],
  ['submodule.recurse', 'false'],
  ['diff.ignoreSubmodules', 'all'],
  ['diff.autoRefreshIndex', 'false'],
  ['protocol.allow', 'never'],
  ['safe.bareRepository', 'explicit'],
  ['safe.directory', '*'],
]

/** Writes settings as variables that git reads after all configuration files. */
export function gitSettings(settings: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  return {
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  }
}

/** Keeps git from taking locks, fetching, prompting, replacing objects, and reading the configuration of the machine and the user. */
export const gitEnvironment: Readonly<Record<string, string>> = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'false',
  ...gitSettings(SETTINGS),
}

/** A command that lets git itself say that there is no repository, without a look above the workspace. */
export const noRepository = {
  argv: ['git', 'rev-parse', '--is-inside-work-tree'],
  environment: { ...gitEnvironment, GIT_DIR: '/dev/null' },
} as const
