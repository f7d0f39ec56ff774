import { expect, it } from 'vitest'
import { toJsonObject } from './to-json-object.ts'

it('toJsonObject returns an object for any text', () => {
  expect(toJsonObject('{"a":[1]}')).toEqual({ a: [1] })
  expect(toJsonObject(' ')).toEqual({})
  for (const text of ['{"a"', '[1]', '7', 'null']) expect(toJsonObject(text)).toEqual({ unparsed: text })
})
