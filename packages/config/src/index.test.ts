import { expect, it } from 'vitest'
import * as root from './index.ts'
import * as node from './node/index.ts'
import * as standard from './standard/index.ts'

it('the package exports exactly these names', () => {
  expect(Object.keys(root).sort()).toEqual(['composeConfig', 'configJsonSchema', 'defineConfig', 'parseConfig'])
  expect(Object.keys(node).sort()).toEqual(['composeFile', 'loadConfig'])
  expect(Object.keys(standard).sort()).toEqual(['standardRegistry'])
})
