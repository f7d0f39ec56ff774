import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeApiPages } from './api-pages.ts'
import { madePages } from './read-pages.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const docs = join(root, 'docs')

for (const folder of ['guides', 'recipes', 'errors', 'api']) rmSync(join(docs, folder), { recursive: true, force: true })
for (const { path, text } of madePages(root)) {
  mkdirSync(dirname(join(docs, path)), { recursive: true })
  writeFileSync(join(docs, path), text)
}
await writeApiPages(root)
