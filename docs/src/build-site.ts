// Builds the site: `node --conditions=@parley/source src/build-site.ts [--out DIR] [--sample]`. DIR must be below this package.
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'vitepress'
import { writeApiPages } from './api-pages.ts'
import { publishMarkdown } from './publish-markdown.ts'
import { removePages, ROOT, writePages } from './write-pages.ts'

const OPTIONS = {
  out: { type: 'string', default: join(ROOT, 'docs/dist') },
  sample: { type: 'boolean', default: false },
} as const
/** A few pages of each kind, for tests. */
const SAMPLE =
  /^(?:index|start\/.*|concepts\/.*|guides\/engine|operate\/figures|recipes\/crash-and-resume|errors\/(?:model-auth|tool-interrupted))\.md$/
const SAMPLE_API = ['@parley/memory-store', '@parley/sqlite']

const { out, sample } = parseArgs({ options: OPTIONS }).values
const pages = join(resolve(out), 'pages')
// The configuration reads them.
process.env['PARLEY_DOCS_OUT'] = resolve(out)
if (sample) process.env['PARLEY_DOCS_SAMPLE'] = '1'

removePages(pages)
writePages(pages, path => !sample || SAMPLE.test(path))
await writeApiPages(ROOT, join(pages, 'api'), name => !sample || SAMPLE_API.includes(name))
await build(join(ROOT, 'docs'))
publishMarkdown(pages, join(resolve(out), 'site'))
