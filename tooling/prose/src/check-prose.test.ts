import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openFolder } from './__fixtures__/open-folder.ts'
import { checkProse } from './check-prose.ts'
import type { Exception } from './exceptions.ts'
import { formatViolation } from './violation.ts'

const FILES = {
  '.changeset/a.md': 'nobody',
  'README.md': 'nobody',
  'bench/run.mjs': '// nobody',
  'packages/a/src/a.ts': '// nobody\n// anew',
  'packages/a/src/a.test.ts': "it('is a test', () => {})",
}

const SKIPPED = {
  'CHANGELOG.md': 'nobody',
  'packages/a/dist/a.js': '// nobody',
  'packages/a/node_modules/b/a.js': '// nobody',
  'packages/a/src/__fixtures__/a.md': 'nobody',
  'packages/a/data.json': '"nobody"',
  '.git/a.md': 'nobody',
}

it('checkProse reads sources and documents, and skips generated, installed and hidden files', () => {
  using folder = openFolder({ ...FILES, ...SKIPPED })
  symlinkSync(join(folder.root, 'README.md'), join(folder.root, 'LINK.md'))
  const { violations, files } = checkProse({ root: folder.root })
  expect(files).toBe(5)
  expect(violations.map(({ file, line, rule }) => `${file}:${line} ${rule}`)).toEqual([
    '.changeset/a.md:1 actor',
    'README.md:1 actor',
    'bench/run.mjs:1 actor',
    'packages/a/src/a.test.ts:1 test-name',
    'packages/a/src/a.ts:1 actor',
    'packages/a/src/a.ts:2 again',
  ])
})

it('checkProse reads only the given folders and files, each once', () => {
  using folder = openFolder(FILES)
  const { violations, files } = checkProse({ root: folder.root, paths: ['packages/a/', './packages', 'README.md'] })
  expect(files).toBe(3)
  expect(violations.map(({ file }) => file)).not.toContain('bench/run.mjs')
})

it('an exception excuses one rule in one file', () => {
  using folder = openFolder({ 'a.ts': '// nobody\n// nobody\n// anew', 'b.ts': '// nobody' })
  const exceptions: readonly Exception[] = [{ rule: 'actor', path: 'a.ts', reason: 'A test of the check.' }]
  const { violations } = checkProse({ root: folder.root, exceptions })
  expect(violations.map(({ file, rule }) => `${file} ${rule}`)).toEqual(['a.ts again', 'b.ts actor'])
})

it('an exception that excuses nothing is a violation, unless its file was not read', () => {
  using folder = openFolder({ 'a/a.ts': '', 'b/b.ts': '' })
  const exceptions: readonly Exception[] = [{ rule: 'actor', path: 'a/a.ts', reason: 'A test of the check.' }]
  const options = { root: folder.root, exceptions }
  expect(checkProse(options).violations.map(formatViolation)).toEqual([
    'a/a.ts:1  exception  "actor"  This exception excuses nothing. Remove it.',
  ])
  expect(checkProse({ ...options, paths: ['b'] }).violations).toEqual([])
})
