import { expect, it } from 'vitest'
import * as anthropic from './index.ts'

it('the main entry exports the provider and its data', () => {
  expect(Object.keys(anthropic).sort()).toEqual(['createAnthropic', 'knownModels', 'rulesOfModel'])
})
