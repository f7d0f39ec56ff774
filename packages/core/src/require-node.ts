import { nodeVersion, type ProcessVersions } from './node-version.ts'

interface Platform {
  readonly process?: ProcessVersions
  readonly navigator?: { readonly userAgent?: string }
}

/** The version in `engines` of each package. npm only warns about it. */
const MINIMUM = [22, 18] as const

/**
 * Throws on a Node.js that is too old, because Parley would fail later at a function that is missing there. Cloudflare
 * Workers report an old version of Node.js, but have the functions.
 */
export function requireNode(platform: Platform): void {
  const node = nodeVersion(platform)
  if (node === undefined) return
  const [major = 0, minor = 0] = node.split('.').map(Number)
  if (major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1])) return
  // Read last, because Node.js loads `navigator` when it is first read.
  if (platform.navigator?.userAgent === 'Cloudflare-Workers') return
  throw new Error(`Parley needs Node.js ${MINIMUM.join('.')} or newer; this is ${node}.`)
}
