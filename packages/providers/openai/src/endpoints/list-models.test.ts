import { expect, it } from 'vitest'
import { fromModelList } from './list-models.ts'

it('reads every shape of a list, with the window where it is told', () => {
  expect(fromModelList({ data: [{ id: 'a' }, { id: '' }, null, { id: 'b', context_length: 8 }] })).toEqual([
    { id: 'a' },
    { id: 'b', contextWindow: 8 },
  ])
  expect(fromModelList([{ id: 'a', max_model_len: 4 }])).toEqual([{ id: 'a', contextWindow: 4 }])
  for (const odd of [null, 7, {}, { data: 'x' }]) expect(fromModelList(odd)).toEqual([])
})
