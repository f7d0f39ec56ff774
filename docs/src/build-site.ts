import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vitepress'
import { writeApiPages } from './api-pages.ts'
import { PAGES, ROOT, writePages } from './write-pages.ts'

rmSync(PAGES, { recursive: true, force: true })
writePages()
await writeApiPages(ROOT, join(PAGES, 'api'))
await build(join(ROOT, 'docs'))
