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
  const run = `A comment \`// →\` shows what a line prints. To run the whole program in the repository:`
  const command = `\`\`\`sh\npnpm exec node --conditions=@parley/source ${recipe.example}\n\`\`\``
  const more = `More: ${recipe.more.join(' · ')}`
  const text = [`# ${recipe.title}`, recipe.text, ...blocks, run, command, more].join('\n\n')
  return { path: `recipes/${recipe.slug}.md`, text: `${text}\n` }
}

function listPage(groups: readonly RecipeGroup[]): Page {
  const sections = groups.map(({ title, recipes }) => {
    const rows = recipes.map(recipe => `- [${recipe.title}](./${recipe.slug}.md)`)
    return `## ${title}\n\n${rows.join('\n')}`
  })
  const intro = `# Recipes\n\nEach recipe is a program. A test runs every program, offline, and compares what it prints with its comments.`
  return { path: 'recipes/index.md', text: `${intro}\n\n${sections.join('\n\n')}\n` }
}
