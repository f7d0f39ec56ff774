import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { syncSnippets } from './sync-snippets.ts'

const STALE = '<!-- snippet: ../a.example.ts -->\n\n```ts\nold()\n```\n'

function tree(): Disposable & { readonly root: string } {
  const root = mkdtempSync(join(tmpdir(), 'parley-snippets-'))
  mkdirSync(join(root, 'docs'))
  writeFileSync(join(root, 'a.example.ts'), 'fresh()\n')
  writeFileSync(join(root, 'docs/guide.md'), STALE)
  writeFileSync(join(root, 'docs/CHANGELOG.md'), '```ts\nf()\n```\n')
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true }) }
}

it('syncSnippets reports stale blocks by file and line, and writes nothing', () => {
  using folder = tree()
  expect(syncSnippets({ root: folder.root })).toEqual({
    problems: ['docs/guide.md:3  differs from ../a.example.ts'],
    written: [],
    files: 1,
  })
  expect(readFileSync(join(folder.root, 'docs/guide.md'), 'utf8')).toBe(STALE)
})

it('syncSnippets with write rewrites stale blocks once', () => {
  using folder = tree()
  expect(syncSnippets({ root: folder.root, write: true })).toMatchObject({ problems: [], written: ['docs/guide.md'] })
  expect(readFileSync(join(folder.root, 'docs/guide.md'), 'utf8')).toBe(STALE.replace('old()', 'fresh()'))
  expect(syncSnippets({ root: folder.root, write: true }).written).toEqual([])
})

it('syncSnippets with write still reports blocks that have no example', () => {
  using folder = tree()
  writeFileSync(join(folder.root, 'README.md'), '```ts\nf()\n```\n')
  writeFileSync(join(folder.root, 'docs/guide.md'), `${STALE}\n\`\`\`ts\nf()\n\`\`\`\n`)
  expect(syncSnippets({ root: folder.root, write: true })).toMatchObject({
    problems: [expect.stringMatching(/^README\.md:1 /), expect.stringMatching(/^docs\/guide\.md:7 /)],
    written: ['docs/guide.md'],
  })
})
