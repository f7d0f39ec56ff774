import { expect, it } from 'vitest'
import { frozenCopy } from './frozen-copy.ts'

it('frozenCopy freezes every object and list of the copy, and none of the value', () => {
  const value = { list: [{ inner: 1 }], text: 'a', none: null }
  const copy = frozenCopy(value)
  expect(copy).toEqual(value)
  for (const part of [copy, copy.list, copy.list[0]]) expect(Object.isFrozen(part)).toBe(true)
  for (const part of [value, value.list, value.list[0]]) expect(Object.isFrozen(part)).toBe(false)
})

it('frozenCopy treats __proto__ as an ordinary key', () => {
  const copy = frozenCopy(JSON.parse('{"__proto__":{"admin":true}}') as object)
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"admin":true}}')
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
})
