import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createArgumentBuilder } from './create-argument-builder.ts'

function build(...pieces: Record<string, unknown>[]): unknown {
  const builder = createArgumentBuilder()
  for (const piece of pieces) builder.add(piece)
  return JSON.parse(JSON.stringify(builder.value))
}

it('the argument builder puts values of every kind in their place', () => {
  expect(
    build(
      { jsonPath: '$.a.b[1].c', numberValue: 7 },
      { jsonPath: "$.a['x y']", boolValue: true },
      { jsonPath: '$.a.b[0]', stringValue: 's' },
      { jsonPath: '$.none', nullValue: 'NULL_VALUE' },
    ),
  ).toEqual({ a: { b: ['s', { c: 7 }], 'x y': true }, none: null })
})

it('the argument builder appends the pieces of a string, for any pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), fc.array(fc.string(), { minLength: 1 }), (first, second) => {
      const pieces = [first, second].flatMap((texts, key) =>
        texts.map((stringValue, index) => ({
          jsonPath: `$.k${key}`,
          stringValue,
          willContinue: index < texts.length - 1,
        })),
      )
      expect(build(...pieces)).toEqual({ k0: first.join(''), k1: second.join('') })
    }),
  )
})

it('the argument builder replaces a string that starts again', () => {
  expect(build({ jsonPath: '$.a', stringValue: 'x' }, { jsonPath: '$.a', stringValue: 'y' })).toEqual({ a: 'y' })
})

it('the argument builder reads only willContinue from a piece without a value', () => {
  const pieces = [
    { jsonPath: '$.a', willContinue: true },
    { jsonPath: '$.a', stringValue: 'x', willContinue: true },
    { jsonPath: '$.a' },
    { jsonPath: '$.b' },
  ]
  expect(build(...pieces)).toEqual({ a: 'x' })
})

it('the argument builder does not change the prototype of objects', () => {
  build({ jsonPath: '$.__proto__.polluted', stringValue: 'x' }, { jsonPath: 7 }, { jsonPath: '$' })
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})
