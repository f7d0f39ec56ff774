/** Variables that reach a command, when nothing else is said: what programs need to run, and nothing secret. */
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
  /** Names that are passed through; a `*` at the end stands for any rest. */
  readonly passed: readonly string[]
  /** Added as they are. */
  readonly added: Readonly<Record<string, string>>
}

/** The whole environment of a command. A name that sounds like a secret is passed only by its full name. */
export function childEnvironment({ source, passed, added }: ChildEnvironmentOptions): Record<string, string> {
  const kept = Object.entries(source).flatMap(([name, value]) => {
    const named = passed.includes(name)
    const fits = passed.some(pattern => pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1)))
    return value !== undefined && (named || (fits && !SECRET.test(name))) ? [[name, value] as const] : []
  })
  return { ...Object.fromEntries(kept), ...added }
}
