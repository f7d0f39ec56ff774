/** The fields of a published package.json that the checks read. */
export interface PackedManifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, unknown>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** A packed package. */
export interface Tarball {
  readonly path: string
  /** As it is in the tarball: `publishConfig` applied, workspace ranges resolved. */
  readonly manifest: PackedManifest
  /** Paths of the files in it. */
  readonly files: readonly string[]
}

/** What a user may import of a package: its root and every subpath without a pattern, but not its manifest. */
export function importableSpecifiers({ name, exports = {} }: PackedManifest): readonly string[] {
  const subpaths = Object.keys(exports).filter(
    key => key.startsWith('.') && !key.includes('*') && !key.endsWith('.json'),
  )
  return subpaths.map(key => `${name}${key.slice(1)}`)
}
