// Builds the site: `node --conditions=@parley/source src/build-site.ts [--without-api] [--out DIR]`.
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'vitepress'
import { removePages, ROOT, writePages } from './write-pages.ts'

const options = {
  'without-api': { type: 'boolean', default: false },
  out: { type: 'string', default: join(ROOT, 'docs/dist') },
} as const
const { values } = parseArgs({ options })
const out = resolve(values.out)
const pages = join(out, 'pages')

removePages(pages)
writePages(pages)
if (!values['without-api']) {
  const { writeApiPages } = await import('./api-pages.ts')
  await writeApiPages(ROOT, join(pages, 'api'))
}
// The configuration reads it.
process.env['PARLEY_DOCS_OUT'] = out
await build(join(ROOT, 'docs'))
