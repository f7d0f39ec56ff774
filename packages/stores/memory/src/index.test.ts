import { expect, it } from 'vitest'
import * as surface from './index.ts'

it('the memory-store package exports exactly createMemoryStore', () => {
  expect(Object.keys(surface)).toEqual(['createMemoryStore'])
})
