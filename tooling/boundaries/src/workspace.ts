import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { placeOf, type Place } from './place.ts'

/** The fields of a package.json that the rules read. */
export interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly exports?: string | Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** A package of the repository. */
export interface Workspace {
  /** Folder, as a path from the root of the repository. */
  readonly dir: string
  readonly manifest: Manifest
  /** Place of the package. `undefined` if the picture of the architecture does not show its folder. */
  readonly place: Place | undefined
  /** Dependencies that the build copies into `dist`, so that users do not install them. */
  readonly bundled: ReadonlySet<string>
}

/** Returns every package that pnpm-workspace.yaml names, sorted by folder. */
export function readWorkspaces(root: string): readonly Workspace[] {
  return workspacePatterns(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8'))
    .flatMap(pattern => expand(root, pattern))
    .filter(dir => existsSync(join(root, dir, 'package.json')))
    .toSorted()
    .map(dir => {
      const manifest = readManifest(join(root, dir))
      return { dir, manifest, place: placeOf(dir), bundled: readBundled(join(root, dir), manifest) }
    })
}

export function readManifest(dir: string): Manifest {
  return JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Manifest
}

function readBundled(dir: string, { devDependencies }: Manifest): ReadonlySet<string> {
  // Vite builds a web page, which contains everything that it imports.
  if (existsSync(join(dir, 'vite.config.ts'))) return new Set(Object.keys(devDependencies ?? {}))
  const config = join(dir, 'tsup.config.ts')
  const text = existsSync(config) ? readFileSync(config, 'utf8') : ''
  const list = /^\s*noExternal: \[([^\]]*)\]/m.exec(text)?.[1] ?? ''
  return new Set([...list.matchAll(/['"]([^'"]+)['"]/g)].map(match => match[1] ?? ''))
}

function workspacePatterns(yaml: string): readonly string[] {
  const list = /^packages:\n((?:[ \t]+-.*\n|[ \t]*#.*\n)+)/m.exec(`${yaml}\n`)?.[1] ?? ''
  return [...list.matchAll(/^[ \t]+-[ \t]+['"]?([^'"\n#]+?)['"]?[ \t]*$/gm)].map(match => match[1] ?? '')
}

function expand(root: string, pattern: string): readonly string[] {
  if (!pattern.endsWith('/*')) return [pattern]
  const parent = pattern.slice(0, -2)
  if (!existsSync(join(root, parent))) return []
  const folders = readdirSync(join(root, parent), { withFileTypes: true }).filter(entry => entry.isDirectory())
  return folders.map(folder => `${parent}/${folder.name}`)
}
