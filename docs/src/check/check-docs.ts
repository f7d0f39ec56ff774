import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '../page.ts'
import { GUIDE_IMAGES } from '../guide-images.ts'
import { readPages } from '../read-pages.ts'
import { checkLinks } from './check-links.ts'
import { createSpellingCheck } from './check-spelling.ts'
import type { Problem } from './problem.ts'

const SKIPPED = /(?:^|\/)(?:node_modules|dist|__fixtures__|peers|results)(?:\/|$)|CHANGELOG\.md|THIRD-PARTY/
/** Guides repeat the READMEs, which are checked themselves. */
const REPEATED = /^docs\/guides\//

/** Checks the links and the spelling of the pages and of all other documents of the repository. */
export function checkDocs(root: string): { readonly problems: readonly Problem[]; readonly files: number } {
  const onDisk = globSync('{*,{apps,bench,docs,examples,packages,tooling}/**/*}.md', {
    cwd: root,
    exclude: path => SKIPPED.test(path),
  })
    .filter(path => !SKIPPED.test(path))
    .map((path): Page => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  const known = new Set(onDisk.map(({ path }) => path))
  const made = readPages(root)
    // `writePages` copies the images of guides.
    .map((page): Page => ({
      path: `docs/${page.path}`,
      text: page.text.replaceAll(
        /\]\(\.\/images\/([\w.-]+)/g,
        (_, name: string) => `](../../${GUIDE_IMAGES[name] ?? name}`,
      ),
    }))
    .filter(({ path }) => !known.has(path))
  const documents = [...onDisk, ...made]
  const checkSpelling = createSpellingCheck()
  const spelling = documents.filter(({ path }) => !REPEATED.test(path)).flatMap(checkSpelling)
  return { problems: [...checkLinks({ root, documents }), ...spelling], files: documents.length }
}
