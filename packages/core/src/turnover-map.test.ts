import { assert, constantFrom, integer, array, property, record } from 'fast-check'
import { expect, it } from 'vitest'
import { TurnoverMap } from './turnover-map.ts'

it('a TurnoverMap holds what a Map would, in the same order', () => {
  const step = record({ action: constantFrom('set', 'delete'), key: integer({ min: 0, max: 8 }), value: integer() })
  assert(
    property(array(step, { maxLength: 60 }), steps => {
      const map = new TurnoverMap<number, number>()
      const model = new Map<number, number>()
      for (const { action, key, value } of steps) {
        if (action === 'delete') expect(map.delete(key)).toBe(model.delete(key))
        else {
          map.set(key, value)
          model.set(key, value)
        }
        expect([map.get(key), map.has(key), map.size]).toEqual([model.get(key), model.has(key), model.size])
      }
      expect([[...map], [...map.keys()], [...map.values()]]).toEqual([
        [...model],
        [...model.keys()],
        [...model.values()],
      ])
    }),
  )
})

it('entries of a TurnoverMap can be removed while it is iterated', () => {
  const map = new TurnoverMap<string, number>()
  for (const [index, key] of ['a', 'b', 'c'].entries()) map.set(key, index)
  const seen: number[] = []
  for (const [key, value] of map) {
    seen.push(value)
    map.delete(key)
    map.delete('b')
  }
  expect([seen, map.size]).toEqual([[0, 2], 0])
})
