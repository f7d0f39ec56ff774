const INHERITED = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TERM', 'TMPDIR', 'USER', 'LOGNAME', 'SHELL'] as const

/** Creates the whole environment of a server: the few harmless variables of `from`, then those `given`. */
export function serverEnvironment(
  given: Readonly<Record<string, string>>,
  from: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const key of INHERITED) {
    const value = from[key]
    if (value !== undefined) environment[key] = value
  }
  return { ...environment, ...given }
}
