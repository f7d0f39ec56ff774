/** Variables that commands receive by default: what programs need to run, and nothing secret. */
export const PASSED_VARIABLES: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TMPDIR',
  'TZ',
  'LANG',
  'LANGUAGE',
  'LC_*',
  'SYSTEMROOT',
  'PATHEXT',
  'TEMP',
  'TMP',
]

const SECRET = /secret|key|token|passw|credential|auth|cookie|session|private|^(?:aws|azure|gcp|google)_/i

export interface ChildEnvironmentOptions {
  readonly source: Readonly<Record<string, string | undefined>>
  /** Names of the variables to pass through. A `*` at the end matches every ending. */
  readonly passed: readonly string[]
  /** Variables to add as they are. */
  readonly added: Readonly<Record<string, string>>
}

/** Builds the whole environment of a command. A name that suggests a secret is passed only if it is listed in full, not by a `*`. */
export function childEnvironment({ source, passed, added }: ChildEnvironmentOptions): Record<string, string> {
  const kept = Object.entries(source).flatMap(([name, value]) => {
    const named = passed.includes(name)
    const fits = passed.some(pattern => pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1)))
    return value !== undefined && (named || (fits && !SECRET.test(name))) ? [[name, value] as const] : []
  })
  return { ...Object.fromEntries(kept), ...added }
}
