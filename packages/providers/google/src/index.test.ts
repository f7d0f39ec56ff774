import { expect, it } from 'vitest'
import * as google from './index.ts'

it('the main entry exports the provider and its data', () => {
  expect(Object.keys(google).sort()).toEqual(['createGoogle', 'knownModels', 'thinkingSupportOf'])
})
