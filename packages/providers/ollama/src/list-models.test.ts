import { expect, it } from 'vitest'
import { fromTags } from './list-models.ts'

it('reads the models by either name, with their size', () => {
  const models = [{ name: 'a:latest', model: 'a:latest', size: 5 }, { name: 'b' }, { name: '' }, null]
  expect(fromTags({ models })).toEqual([{ id: 'a:latest', sizeBytes: 5 }, { id: 'b' }])
  for (const odd of [null, 7, {}, { models: 'x' }]) expect(fromTags(odd)).toEqual([])
})
