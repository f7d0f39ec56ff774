import { posix } from 'node:path'
import type { SourceModule } from './source-module.ts'

/** An import from one file of a package to another. */
export interface ImportEdge {
  /** Path from the root of the repository. */
  readonly from: string
  /** Path from the root of the repository. */
  readonly to: string
  readonly line: number
}

/** Returns the relative imports among the published files of a package, including type-only and dynamic imports. */
export function findImportEdges(modules: readonly SourceModule[]): readonly ImportEdge[] {
  const published = modules.filter(({ file }) => !file.dev)
  const known = new Set(published.map(({ file }) => file.path))
  return published.flatMap(({ file, facts }) =>
    facts.references.flatMap(({ specifier, line }) => {
      const to = specifier.startsWith('.') ? resolve(file.path, specifier, known) : undefined
      return to === undefined ? [] : [{ from: file.path, to, line }]
    }),
  )
}

function resolve(from: string, specifier: string, known: ReadonlySet<string>): string | undefined {
  const target = posix.join(posix.dirname(from), specifier)
  const candidates = [target, target.replace(/\.js$/, '.ts'), `${target}.ts`, posix.join(target, 'index.ts')]
  return candidates.find(candidate => known.has(candidate))
}
