import { expect, it } from 'vitest'
import * as surface from './index.ts'

it('the package exports exactly these names', () => {
  expect(Object.keys(surface).sort()).toEqual(['createRestateClient', 'createRestateHost'])
})
