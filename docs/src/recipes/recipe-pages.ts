import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readRegion } from '@parley/snippets/read-region'
import type { Page } from '../page.ts'
import type { Recipe } from './recipe.ts'
import { RECIPES, type RecipeGroup } from './recipes.ts'

/** Makes a page for each recipe, with the code of its example, and a list of all recipes. */
export function recipePages(root: string): readonly Page[] {
  return [listPage(RECIPES), ...RECIPES.flatMap(({ recipes }) => recipes.map(recipe => recipePage(root, recipe)))]
}

function recipePage(root: string, recipe: Recipe): Page {
  const source = readFileSync(join(root, recipe.example), 'utf8')
  const blocks = (recipe.regions ?? [undefined]).map(region => {
    const read = readRegion(source, region)
    if ('problem' in read) throw new Error(`${recipe.example}: ${read.problem}`)
    return `\`\`\`ts\n${read.code}\n\`\`\``
  })
  const install = `\`\`\`sh\nnpm install ${packagesOf(source).join(' ')}\n\`\`\``
  const run = `A comment \`// →\` shows what a line prints. The whole program is \`${recipe.example}\` in the repository.`
  const more = `More: ${recipe.more.join(' · ')}`
  const text = [`# ${recipe.title}`, recipe.text, install, ...blocks, run, more].join('\n\n')
  return { path: `recipes/${recipe.slug}.md`, text: `${text}\n` }
}

/** The packages that a program imports. */
function packagesOf(source: string): readonly string[] {
  const imports = source.matchAll(/^(?:import|\} from) .*?'((?:@[\w-]+\/)?[a-z][\w.-]*)[^':]*'/gm)
  const names = [...imports].map(([, name = '']) => name)
  return [...new Set(names)].toSorted()
}

function listPage(groups: readonly RecipeGroup[]): Page {
  const sections = groups.map(({ title, recipes }) => {
    const rows = recipes.map(recipe => `- [${recipe.title}](./${recipe.slug}.md)`)
    return `## ${title}\n\n${rows.join('\n')}`
  })
  const intro = `# Recipes\n\nEach recipe is a program. A test runs every program, offline, and compares what it prints with its comments.`
  return { path: 'recipes/index.md', text: `${intro}\n\n${sections.join('\n\n')}\n` }
}
