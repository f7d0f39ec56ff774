import { expect, it } from 'vitest'
import { importableSpecifiers } from './tarball.ts'

it('names the root and every subpath that can be imported', () => {
  const exports = { '.': {}, './schema': {}, './many/*': {}, './package.json': './package.json' }
  expect(importableSpecifiers({ name: '@parley/core', version: '1.0.0', exports })).toEqual([
    '@parley/core',
    '@parley/core/schema',
  ])
})

it('finds nothing to import in a package of commands only', () => {
  expect(importableSpecifiers({ name: 'parley', version: '1.0.0' })).toEqual([])
})
