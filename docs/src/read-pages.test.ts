import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sidebar } from '../.vitepress/site-map.ts'
import { publishedPackages } from './published-packages.ts'
import { readPages } from './read-pages.ts'
import { RECIPES } from './recipes/recipes.ts'

const ROOT = join(import.meta.dirname, '../..')
const pages = new Set(readPages(ROOT).map(({ path }) => path))
const packages = publishedPackages(ROOT)

interface Item {
  readonly link?: string
  readonly items?: readonly Item[]
}
const linksOf = ({ link, items = [] }: Item): readonly string[] => [
  ...(link === undefined ? [] : [link]),
  ...items.flatMap(linksOf),
]

describe('the site', () => {
  it('the sidebar leads to every page except recipes, error codes and decisions, and to no other', () => {
    const listed = Object.values(sidebar)
      .flat()
      .flatMap(linksOf)
      .map(link => `${link.slice(1)}.md`.replace('/.md', '/index.md'))
    const expected = [...pages].filter(
      path => !/^(?:index\.md|decisions\/|(?:recipes|errors)\/(?!index\.md))/.test(path),
    )
    expect([...new Set(listed)].filter(path => !path.startsWith('api/')).toSorted()).toEqual(expected.toSorted())
  })

  it('the site has a guide for each published package, and at least twenty recipes of different examples', () => {
    for (const { slug } of packages) expect(pages).toContain(`guides/${slug}.md`)
    const examples = RECIPES.flatMap(({ recipes }) => recipes.map(({ example }) => example))
    expect(new Set(examples).size).toBe(examples.length)
    expect(examples.length).toBeGreaterThanOrEqual(20)
  })

  it('examples/README.md lists each folder of the examples', () => {
    const list = readFileSync(join(ROOT, 'examples/README.md'), 'utf8')
    const folders = readdirSync(join(ROOT, 'examples'), { withFileTypes: true }).filter(entry => entry.isDirectory())
    for (const { name } of folders) expect(list).toContain(`[\`${name}\`](${name})`)
  })
})

describe('the skill of a package', () => {
  it.each(packages.map(({ folder, name }) => [name, folder] as const))(
    'the skill of %s has a description, one example and pitfalls, and is published',
    (name, folder) => {
      const skill = readFileSync(join(ROOT, folder, 'SKILL.md'), 'utf8')
      expect(skill).toMatch(
        new RegExp(`^---\\nname: ${name.replace('@parley/', 'parley-')}\\ndescription: .{40,}\\n---\\n`),
      )
      expect(skill.match(/^```(?:ts|sh)$/gm)).toHaveLength(1)
      expect(skill).toMatch(/\n## Pitfalls\n\n- .*\n/)
      expect(skill.split('\n').length).toBeLessThan(90)
      expect(JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))).toMatchObject({
        files: expect.arrayContaining(['SKILL.md']) as string[],
      })
    },
  )
})

it('each drawing is used by a page', () => {
  const drawings = globSync('docs/*/drawings/*.svg', { cwd: ROOT })
  expect(drawings.length).toBeGreaterThan(4)
  for (const drawing of drawings) {
    const text = readFileSync(join(ROOT, drawing.replace(/drawings\/(\w+)\.svg$/, '$1.md')), 'utf8')
    expect(text).toContain(`<!--@include: ./drawings/`)
    expect(existsSync(join(ROOT, drawing))).toBe(true)
  }
})
