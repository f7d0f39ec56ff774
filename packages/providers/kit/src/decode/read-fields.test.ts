import { expect, it } from 'vitest'
import { countOf, fieldsOf, listOf, textOf } from './read-fields.ts'

it('the field readers return values of the right type and treat others as missing', () => {
  expect([textOf('a'), textOf(1), textOf(null)]).toEqual(['a', '', ''])
  expect([listOf([1]), listOf('a'), listOf(undefined)]).toEqual([[1], [], []])
  expect([countOf(2.5), countOf(-1), countOf('2'), countOf(null)]).toEqual([2, undefined, undefined, undefined])
  expect([fieldsOf({ a: 1 }), fieldsOf(null), fieldsOf('a')]).toEqual([{ a: 1 }, undefined, undefined])
})
