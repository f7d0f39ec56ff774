import { expect, it } from 'vitest'
import * as root from './index.ts'
import * as node from './node/index.ts'

it('the package exports exactly these names', () => {
  expect(Object.keys(root).sort()).toEqual(['composeConfig', 'configJsonSchema', 'defineConfig', 'parseConfig'])
  expect(Object.keys(node).sort()).toEqual(['loadConfig'])
})
