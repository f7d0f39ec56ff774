import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GUIDE_IMAGES } from './guide-images.ts'
import { readPages } from './read-pages.ts'

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DOCS = join(ROOT, 'docs')

/**
 * Writes pages, all drawings and all curves into the folder that VitePress reads. The reference of the API is not among them.
 * @param isWanted Chooses pages by their path. By default every page is written.
 */
export function writePages(folder: string, isWanted: (path: string) => boolean = () => true): void {
  for (const { path, text } of readPages(ROOT)) {
    if (!isWanted(path)) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const path of globSync('*/{drawings,figures}/*.svg', { cwd: DOCS })) cpSync(join(DOCS, path), join(folder, path))
  for (const [name, path] of Object.entries(GUIDE_IMAGES)) cpSync(join(ROOT, path), join(folder, 'guides/images', name))
}

/** Removes the pages of an earlier build. */
export function removePages(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
