import { expect, it } from 'vitest'
import { readModels } from './model-list.ts'

it('readModels reads every shape of a list, with the context window if the server states it', () => {
  expect(readModels({ data: [{ id: 'a' }, { id: '' }, null, { id: 'b', context_length: 8 }] })).toEqual([
    { id: 'a' },
    { id: 'b', contextWindow: 8 },
  ])
  expect(readModels([{ id: 'a', max_model_len: 4 }])).toEqual([{ id: 'a', contextWindow: 4 }])
  for (const odd of [null, 7, {}, { data: 'x' }]) expect(readModels(odd)).toEqual([])
})
