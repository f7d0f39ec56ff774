import { expect, it } from 'vitest'
import * as openai from './index.ts'

it('the main entry exports the provider, its data and its pure readers', () => {
  expect(Object.keys(openai).sort()).toEqual([
    'createOpenAI',
    'fromChatChunk',
    'fromChatUsage',
    'identifyServer',
    'knownModels',
    'profileOfUrl',
    'quirkProfiles',
  ])
})
