import type { Json } from '@parley/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileExpression, isTrue } from './compile-expression.ts'
import type { Expression } from './expression.ts'

function evaluate(expression: Expression, values: Record<string, Json> = {}): Json {
  const visible = new Map(Object.keys(values).map(key => [key, { key }]))
  return compileExpression(expression, { path: 'c', visible, uses: new Set() })(new Map(Object.entries(values)))
}
const a = { a: { list: [[{ x: 1 }], 'two'], text: 'hello world', empty: {}, zero: 0 } }

describe('a condition', () => {
  it.each<[Expression, Json]>([
    ['text', 'text'],
    [{ literal: { any: ['data'] } }, { any: ['data'] }],
    [{ variable: 'a.list.0.0.x' }, 1],
    [{ variable: 'a.list.1' }, 'two'],
    [{ variable: 'a.list.2' }, null],
    [{ variable: 'a.list.length' }, null],
    [{ variable: 'a.constructor.name' }, null],
    [{ variable: 'a.__proto__' }, null],
    [{ variable: 'a.text.0' }, null],
    [{ equals: [{ literal: { x: 1, y: [2] } }, { literal: { y: [2], x: 1 } }] }, true],
    [{ equals: ['5', 5] }, false],
    [{ notEquals: [{ variable: 'a.nothing' }, null] }, false],
    [{ greaterThan: [10, '9'] }, true],
    [{ greaterThan: ['b', 'a'] }, false],
    [{ lessThan: ['b', 'a'] }, false],
    [{ greaterThan: [{ variable: 'a.nothing' }, -1] }, false],
    [{ lessThan: [-1, ''] }, false],
    [{ and: [true, 'x', { literal: {} }] }, true],
    [{ and: [true, 0] }, false],
    [{ or: [null, '', 0, false, { literal: [] }] }, false],
    [{ or: [null, { literal: [null] }] }, true],
    [{ not: { variable: 'a.zero' } }, true],
    [{ contains: [{ variable: 'a.text' }, 'lo wo'] }, true],
    [{ contains: ['world', 'word'] }, false],
    [{ contains: ['text', ''] }, true],
    [{ contains: [{ variable: 'a.list' }, { literal: [{ x: 1 }] }] }, true],
    [{ contains: [5, 5] }, false],
    [{ hasKey: [{ variable: 'a' }, 'zero'] }, true],
    [{ hasKey: [{ variable: 'a' }, 'toString'] }, false],
    [{ hasKey: [{ variable: 'a.list' }, '0'] }, false],
    [{ isEmpty: { variable: 'a.empty' } }, true],
    [{ isEmpty: 0 }, false],
    [{ matches: [{ variable: 'a.text' }, 'wor'] }, true],
    [{ matches: [{ variable: 'a.text' }, '^wor'] }, false],
    [{ matches: [{ variable: 'a.text' }, '(?i)HELLO'] }, true],
    [{ matches: [5, '5'] }, false],
  ])('the condition %j is %j', (expression, value) => {
    expect(evaluate(expression, a)).toEqual(value)
  })

  it('the operators `and` and `or` evaluate no more operands than necessary', () => {
    let looked = 0
    const values = new Map<string, Json>([['x', false]])
    const watched = { get: (key: string) => (looked++, values.get(key)) } as unknown as ReadonlyMap<string, Json>
    const site = { path: 'c', visible: new Map([['x', { key: 'x' }]]), uses: new Set<{ key: string }>() }
    compileExpression({ and: [{ variable: 'x' }, { variable: 'x' }] }, site)(watched)
    expect(looked).toBe(1)
    compileExpression({ or: [true, { variable: 'x' }] }, site)(watched)
    expect(looked).toBe(1)
  })

  it('matches takes linear time for any pattern', () => {
    expect(evaluate({ matches: [{ variable: 't' }, '^(a+)+$'] }, { t: `${'a'.repeat(50_000)}b` })).toBe(false)
  })

  it('a condition nested more than 100 deep is rejected', () => {
    const deep = (depth: number): Expression => (depth === 0 ? true : { not: deep(depth - 1) })
    expect(evaluate(deep(100))).toBe(true)
    expect(() => evaluate(deep(200))).toThrow('nested more than 100 deep')
  })
})

const expression = fc.letrec<{ any: Expression }>(tie => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.jsonValue().map(literal => ({ literal: literal as Json })),
    fc.constantFrom('v', 'v.a', 'v.0.b', 'v.__proto__.x').map(variable => ({ variable })),
    fc
      .tuple(fc.constantFrom('equals', 'notEquals', 'greaterThan', 'lessThan', 'contains'), tie('any'), tie('any'))
      .map(([name, x, y]) => ({ [name]: [x, y] }) as unknown as Expression),
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('any'), { minLength: 1, maxLength: 3 }))
      .map(([name, list]) => ({ [name]: list }) as unknown as Expression),
    fc
      .tuple(fc.constantFrom('not', 'isEmpty'), tie('any'))
      .map(([name, x]) => ({ [name]: x }) as unknown as Expression),
    fc.tuple(tie('any'), fc.string()).map(([x, key]) => ({ hasKey: [x, key] as const })),
    fc.tuple(tie('any'), fc.constantFrom('a+', '^$', '.')).map(([x, pattern]) => ({ matches: [x, pattern] as const })),
  ),
})).any

describe('every condition', () => {
  it('every condition has a value for any data', () => {
    fc.assert(
      fc.property(expression, fc.jsonValue(), (given, v) => {
        expect(evaluate(given, { v: v as Json })).not.toBeUndefined()
      }),
    )
  })

  it('every condition is the opposite of its negation, and equal to an and or an or of itself', () => {
    fc.assert(
      fc.property(expression, fc.jsonValue(), (given, v) => {
        const values = { v: v as Json }
        const holds = isTrue(evaluate(given, values))
        expect(evaluate({ not: given }, values)).toBe(!holds)
        expect(evaluate({ and: [given] }, values)).toBe(holds)
        expect(evaluate({ or: [given] }, values)).toBe(holds)
      }),
    )
  })
})
