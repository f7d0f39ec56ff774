const NEEDED = [22, 18] as const

/** Why this version of Node.js will not do; undefined when it will. */
export function checkNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [neededMajor, neededMinor] = NEEDED
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return undefined
  return `Node.js ${version} is too old; ${neededMajor}.${neededMinor} or newer is needed.`
}
