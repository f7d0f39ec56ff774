import { expect, it } from 'vitest'
import { importableSpecifiers } from './tarball.ts'

it('importableSpecifiers returns the root and every subpath that can be imported', () => {
  const exports = { '.': {}, './schema': {}, './many/*': {}, './package.json': './package.json' }
  expect(importableSpecifiers({ name: '@parley/core', version: '1.0.0', exports })).toEqual([
    '@parley/core',
    '@parley/core/schema',
  ])
})

it('importableSpecifiers returns an empty list for a package without exports', () => {
  expect(importableSpecifiers({ name: 'parley', version: '1.0.0' })).toEqual([])
})
