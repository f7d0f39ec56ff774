import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A package that users install. */
export interface PublishedPackage {
  /** Name on the registry, for example `@parley/engine`. */
  readonly name: string
  /** Name of its guide, for example `engine`. */
  readonly slug: string
  readonly description: string
  /** Path of its folder from the root of the repository. */
  readonly folder: string
  /** Source file of each entry point, by its import path. */
  readonly entries: Readonly<Record<string, string>>
}

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly description?: string
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

/** Lists the packages that are published, sorted by name. A package without a README cannot be published yet. */
export function publishedPackages(root: string): readonly PublishedPackage[] {
  return globSync('{apps,packages}/{*,*/*}/package.json', { cwd: root })
    .filter(path => !path.includes('node_modules'))
    .map(path => ({ folder: dirname(path), manifest: JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest }))
    .filter(({ folder, manifest }) => manifest.private !== true && existsSync(join(root, folder, 'README.md')))
    .map(({ folder, manifest }) => ({
      name: manifest.name,
      slug: manifest.name.replace('@parley/', ''),
      description: manifest.description ?? '',
      folder,
      entries: sourcesOf(manifest, folder),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function sourcesOf({ name, exports = {} }: Manifest, folder: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(exports).flatMap(([subpath, target]) => {
      const source = typeof target === 'string' ? undefined : target['@parley/source']
      return source === undefined ? [] : [[join(name, subpath), join(folder, source)]]
    }),
  )
}
