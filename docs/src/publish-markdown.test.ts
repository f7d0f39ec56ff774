import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { publishMarkdown } from './publish-markdown.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-pages-'))
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

it('every relative link of a published page leads to a file', () => {
  const start = 'See [Node](./node.md) and [recipes](../recipes/index.md#agents).'
  const node = 'See [all](./index.md), [recipes](../recipes/index.md) and ![a run](./images/run.svg).'
  const recipes = 'Begin with [start](../start/index.md).'
  const index = 'See [start](./start/index.md).'
  write({
    'pages/index.md': index,
    'pages/start/index.md': start,
    'pages/start/node.md': node,
    'pages/start/images/run.svg': '<svg/>',
    'pages/recipes/index.md': recipes,
    // As VitePress publishes them.
    'site/index.md': index,
    'site/start.md': start,
    'site/start/node.md': node,
    'site/recipes.md': recipes,
  })
  publishMarkdown(join(root, 'pages'), join(root, 'site'))
  const links = globSync('**/*.md', { cwd: join(root, 'site') }).flatMap(path =>
    [...readFileSync(join(root, 'site', path), 'utf8').matchAll(/\]\(([^)#]+)/g)].map(([, link = '']) => ({
      path,
      link,
    })),
  )
  expect(links.length).toBe(10)
  expect(links.filter(({ path, link }) => !existsSync(join(root, 'site', dirname(path), link)))).toEqual([])
})
