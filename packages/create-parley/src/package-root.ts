import { readFile } from 'node:fs/promises'

/** Folder of this package, seen from `src` and from `dist`. */
export const packageRoot: URL = new URL('../', import.meta.url)

interface Manifest {
  name?: string
  version?: string
  description?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/** Reads a package.json, whose fields may be changed and written again. */
export async function readManifest(path: string | URL): Promise<Manifest> {
  return JSON.parse(await readFile(path, 'utf8')) as Manifest
}

/** All packages of Parley have the version of this one. */
export async function parleyRange(): Promise<string> {
  const { version } = await readManifest(new URL('package.json', packageRoot))
  return `^${version}`
}
