import { expect, it } from 'vitest'
import { enrichModelInfo } from './enrich-model-info.ts'
import { toModelInfo } from './to-model-info.ts'

it('toModelInfo reads the lists of all providers into one form and keeps the original entry', () => {
  const openai = { id: 'gpt-x', owned_by: 'system' }
  expect(toModelInfo('openai', openai)).toEqual({ id: 'gpt-x', ownedBy: 'system', additionalProperties: openai })
  expect(toModelInfo('anthropic', { id: 'c', display_name: 'C', context_length: 5 })).toMatchObject({
    displayName: 'C',
    ownedBy: 'anthropic',
    contextWindow: 5,
  })
  const flat = { name: 'mine', modelName: 'gpt-4', modelPublisher: 'OpenAI', capabilities: { maxContextLength: '8' } }
  expect(toModelInfo('foundry', flat)).toMatchObject({
    id: 'mine',
    displayName: 'gpt-4',
    ownedBy: 'OpenAI',
    contextWindow: 8,
  })
})

it('enrichModelInfo fills in missing facts from the longest prefix that ends at a word', () => {
  const dataset = {
    providers: {
      p: [
        { prefix: 'm-1', contextWindow: 1 },
        { prefix: 'm-1-mini', contextWindow: 2, outputModalities: ['text'] },
      ],
    },
  }
  expect(enrichModelInfo({ id: 'm-1-mini-2024', outputModalities: [] }, 'p', dataset)).toEqual({
    id: 'm-1-mini-2024',
    contextWindow: 2,
    outputModalities: [],
  })
  expect(enrichModelInfo({ id: 'm-12' }, 'p', dataset)).toEqual({ id: 'm-12' })
  expect(enrichModelInfo({ id: 'm-1' }, 'constructor', dataset)).toEqual({ id: 'm-1' })
})
