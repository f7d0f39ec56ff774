import { watch } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'vitepress'
import { ROOT, writePages } from './write-pages.ts'

const PAGES = join(ROOT, 'docs/dist/pages')

writePages(PAGES)
const server = await createServer(join(ROOT, 'docs'))
await server.listen()
server.printUrls()
for (const folder of ['docs', 'packages', 'apps', 'examples'])
  watch(join(ROOT, folder), { recursive: true }, (_, path) => {
    if (path !== null && /\.(md|svg|example\.ts)$/.test(path) && !join(ROOT, folder, path).startsWith(PAGES))
      writePages(PAGES)
  })
