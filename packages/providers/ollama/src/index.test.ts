import { expect, it } from 'vitest'
import * as ollama from './index.ts'

it('the main entry exports the provider', () => {
  expect(Object.keys(ollama)).toEqual(['createOllama'])
})
