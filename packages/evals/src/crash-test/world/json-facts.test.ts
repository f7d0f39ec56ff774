import { expect, it } from 'vitest'
import { jsonFacts } from './json-facts.ts'

it('jsonFacts counts items of a list in any order, lines of a text, and numbers as what they are', () => {
  expect(
    jsonFacts('world', {
      charges: [
        { b: 1, a: 2 },
        { a: 2, b: 1 },
      ],
      total: 7,
      log: 'x\ny\nx\n',
      open: true,
    }),
  ).toEqual({
    'world.charges[]\t{"a":2,"b":1}': 2,
    'world.total\t': 7,
    'world.log\tx': 2,
    'world.log\ty': 1,
    'world.open\ttrue': 1,
  })
  expect(jsonFacts('world', new Map([['a', new Set([1])]]))).toEqual({ 'world.a[]\t1': 1 })
  expect(jsonFacts('world', undefined)).toEqual({})
})
