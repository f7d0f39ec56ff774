/** The fields of a published package.json that the checks use. */
export interface PackedManifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** A packed package. */
export interface Tarball {
  readonly path: string
  /** The manifest in the tarball, with `publishConfig` applied and workspace ranges resolved. */
  readonly manifest: PackedManifest
  /** Paths of the packed files. */
  readonly files: readonly string[]
}

/** Returns what a user can import of a package: its root and every subpath, except patterns and the manifest. */
export function importableSpecifiers({ name, exports = {} }: PackedManifest): readonly string[] {
  const subpaths = Object.keys(exports).filter(
    key => key.startsWith('.') && !key.includes('*') && !key.endsWith('.json'),
  )
  return subpaths.map(key => `${name}${key.slice(1)}`)
}
