import { expect, it } from 'vitest'
import { ollamaModelList } from './model-list.ts'

it('ollamaModelList reads models named by model or name, with their size', () => {
  const models = [{ name: 'a:latest', model: 'a:latest', size: 5 }, { name: 'b' }, { name: '' }, null]
  expect(ollamaModelList.read({ models })).toEqual([{ id: 'a:latest', sizeBytes: 5 }, { id: 'b' }])
  for (const odd of [null, 7, {}, { models: 'x' }]) expect(ollamaModelList.read(odd)).toEqual([])
})
