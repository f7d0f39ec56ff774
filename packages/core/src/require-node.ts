interface Versions {
  readonly node?: string
  readonly bun?: string
  readonly deno?: string
}

interface Platform {
  readonly process?: { readonly versions?: Versions }
  readonly navigator?: { readonly userAgent?: string }
}

/** The version in `engines` of each package. npm only warns about it. */
const MINIMUM = [22, 18] as const

/**
 * Throws on a Node.js that is too old, because Parley would fail later at a function that is missing there. Bun, Deno and
 * Cloudflare Workers report a version of Node.js too, but have the functions.
 */
export function requireNode({ process, navigator }: Platform): void {
  const { node, bun, deno } = process?.versions ?? {}
  if (node === undefined || bun !== undefined || deno !== undefined) return
  if (navigator?.userAgent === 'Cloudflare-Workers') return
  const [major = 0, minor = 0] = node.split('.').map(Number)
  if (major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1])) return
  throw new Error(`Parley needs Node.js ${MINIMUM.join('.')} or newer; this is ${node}.`)
}
