import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { Page } from './page.ts'
import type { PublishedPackage } from './published-packages.ts'
import { RECIPES } from './recipes/recipes.ts'

const LINK = /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g

/**
 * Makes the guide of each package from its README. Links to other READMEs lead to their guides, links to the site stay in the
 * site, a link to the example of a recipe leads to the recipe, and a link to any other file of the repository becomes its path.
 */
export function guidePages(root: string, packages: readonly PublishedPackage[]): readonly Page[] {
  const slugs = new Map(packages.map(({ folder, slug }) => [folder, slug]))
  return packages.map(({ folder, slug }) => {
    const readme = readFileSync(join(root, folder, 'README.md'), 'utf8')
    return { path: `guides/${slug}.md`, text: outsideFences(readme, text => moveLinks(text, { folder, slugs })) }
  })
}

/** The names of the recipes by the paths of their examples. */
const recipes: ReadonlyMap<string, string> = new Map(
  RECIPES.flatMap(group => group.recipes.map(({ example, slug }) => [example, slug] as const)),
)

interface Place {
  readonly folder: string
  readonly slugs: ReadonlyMap<string, string>
}

function moveLinks(text: string, { folder, slugs }: Place): string {
  return text.replaceAll(LINK, (...match: readonly string[]) => {
    const [whole = '', image = '', label = '', target = ''] = match
    if (/^(?:[a-z]+:|#)/.test(target)) return whole
    const [file = '', anchor] = target.split('#')
    const path = posix.join(folder, file).replace(/\/(?:README\.md)?$/, '')
    const slug = slugs.get(path)
    const suffix = anchor === undefined ? '' : `#${anchor}`
    if (slug !== undefined) return `[${label}](./${slug}.md${suffix})`
    const recipe = recipes.get(path)
    if (recipe !== undefined) return `[${label}](../recipes/${recipe}.md)`
    if (path.startsWith('docs/')) return `[${label}](../${path.slice('docs/'.length)}${suffix})`
    return image === '!' ? `![${label}](./images/${posix.basename(path)})` : `${label} (\`${path}\`)`
  })
}

/** Applies a function to the parts of a Markdown text that are not in code blocks. */
function outsideFences(text: string, change: (part: string) => string): string {
  return text
    .split(/(^[ \t]*```[\s\S]*?^[ \t]*```[ \t]*$)/m)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')
}
