import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { MUTATIONS } from '../mutations.mjs'

const root = path.resolve(import.meta.dirname, '../../..')

it.each(MUTATIONS)('the fault $name can be put into exactly one place', ({ file, from, to, tests }) => {
  expect(readFileSync(path.join(root, file), 'utf8').split(from)).toHaveLength(2)
  expect(to).not.toBe(from)
  expect(tests.filter(test => !existsSync(path.join(root, test)))).toEqual([])
})

it('every fault has its own name and at least one test file', () => {
  const names = MUTATIONS.map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  expect(MUTATIONS.filter(({ tests }) => tests.length === 0)).toEqual([])
})
