/** A variable of the environment, where there is one; an empty one counts as absent. */
export function readEnvironment(name: string): string | undefined {
  const value = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name]
  return value === undefined || value.trim() === '' ? undefined : value
}
