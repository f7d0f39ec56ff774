import { expect, it } from 'vitest'
import { geminiModelList } from './model-list.ts'

it('geminiModelList reads the models that generate content, with their limits', () => {
  const models = [
    { name: 'models/a', inputTokenLimit: 8, outputTokenLimit: 4, supportedGenerationMethods: ['generateContent'] },
    { name: 'models/embed', supportedGenerationMethods: ['embedContent'] },
    { name: 'tunedModels/b' },
    { name: '' },
    null,
  ]
  expect(geminiModelList.read({ models })).toEqual([
    { id: 'a', contextWindow: 8, maxOutputTokens: 4 },
    { id: 'tunedModels/b' },
  ])
  for (const odd of [null, 7, {}, { models: 'x' }]) expect(geminiModelList.read(odd)).toEqual([])
})
