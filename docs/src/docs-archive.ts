import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { titleOf } from './page.ts'
import { readPages } from './read-pages.ts'

/** Writes all pages except the reference of the API into one compressed file, which `parley docs` reads. Returns its path. */
export function writeDocsArchive(root: string, folder: string): string {
  const pages = readPages(root)
    .filter(({ path }) => path !== 'index.md')
    .map(page => ({ address: page.path.replace(/(?:\/index)?\.md$/, ''), title: titleOf(page), text: page.text }))
  const path = join(folder, 'docs.json.br')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path, brotliCompressSync(JSON.stringify(pages), { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
  return path
}
