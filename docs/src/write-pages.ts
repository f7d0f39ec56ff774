import { cpSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readPages } from './read-pages.ts'

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DOCS = join(ROOT, 'docs')
/** The folder that VitePress reads. */
export const PAGES = join(DOCS, 'dist/pages')

/** Writes every page except the reference of the API, and the drawings, into the folder that VitePress reads. */
export function writePages(): void {
  for (const { path, text } of readPages(ROOT)) {
    mkdirSync(dirname(join(PAGES, path)), { recursive: true })
    writeFileSync(join(PAGES, path), text)
  }
  for (const path of globSync('*/drawings/*.svg', { cwd: DOCS })) cpSync(join(DOCS, path), join(PAGES, path))
}
