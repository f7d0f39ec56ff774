import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const ROOT = path.join(import.meta.dirname, '../../..')

it('every file of the deep suite says in its first line why it is deep', () => {
  const files = globSync('{packages,apps,docs,examples,tooling}/**/*.deep.test.ts', {
    cwd: ROOT,
    exclude: name => name === 'node_modules' || name === 'dist',
  })
  expect(files.length).toBeGreaterThan(10)
  const silent = files.filter(file => !/^\/\/ Deep: .{10,}\.\n/.test(readFileSync(path.join(ROOT, file), 'utf8')))
  expect(silent).toEqual([])
})
