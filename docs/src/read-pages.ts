import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorPages } from './errors/error-pages.ts'
import { guidePages } from './guide-pages.ts'
import type { Page } from './page.ts'
import { publishedPackages } from './published-packages.ts'
import { recipePages } from './recipes/recipe-pages.ts'

/** Returns every page of the site except the reference of the API, sorted by path. */
export function readPages(root: string): readonly Page[] {
  const folder = join(root, 'docs')
  const written = globSync('{*,*/*}.md', { cwd: folder, exclude: path => /node_modules|dist/.test(path) }).map(
    path => ({ path, text: readFileSync(join(folder, path), 'utf8') }),
  )
  const made = [...guidePages(root, publishedPackages(root)), ...recipePages(root), ...errorPages()]
  return [...written, ...made].toSorted((a, b) => (a.path < b.path ? -1 : 1))
}
