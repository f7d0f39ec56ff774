/** Reads an environment variable; `undefined` if it is blank or if the runtime has no environment. */
export function readEnvironment(name: string): string | undefined {
  const value = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name]
  return value === undefined || value.trim() === '' ? undefined : value
}
