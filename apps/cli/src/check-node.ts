const REQUIRED = [22, 18] as const

/** Returns an error text if this version of Node.js is too old. */
export function checkNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [requiredMajor, requiredMinor] = REQUIRED
  if (major > requiredMajor || (major === requiredMajor && minor >= requiredMinor)) return undefined
  return `Node.js ${version} is too old. Parley requires ${requiredMajor}.${requiredMinor} or newer.`
}
