import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorPages } from './errors/error-pages.ts'
import { guidePages } from './guide-pages.ts'
import type { Page } from './page.ts'
import { publishedPackages } from './published-packages.ts'
import { recipePages } from './recipes/recipe-pages.ts'

/** Folders of the site whose pages are made from the sources. */
const MADE = /^(?:api|errors|guides|recipes)\//

/** Returns the pages that are made from the sources: the guide of each package, the recipes, and the page of each error code. */
export function madePages(root: string): readonly Page[] {
  return [...guidePages(root, publishedPackages(root)), ...recipePages(root), ...errorPages()]
}

/** Returns every page of the site except the reference of the API, sorted by path. */
export function readPages(root: string): readonly Page[] {
  const folder = join(root, 'docs')
  const written = globSync('**/*.md', { cwd: folder, exclude: path => path.includes('node_modules') })
    .filter(path => !MADE.test(path))
    .map(path => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
  return [...written, ...madePages(root)].toSorted((a, b) => (a.path < b.path ? -1 : 1))
}
