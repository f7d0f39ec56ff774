import { describe, expect, it } from 'vitest'
import { readYamlDocument } from './read-yaml-document.ts'

describe('readYamlDocument', () => {
  it('readYamlDocument returns the data, and the line of a key or of its nearest parent', () => {
    const { value, faults, lineOf } = readYamlDocument('a: 1\nb:\n  - x\n  - c: 2\n')
    expect(value).toEqual({ a: 1, b: ['x', { c: 2 }] })
    expect(faults).toEqual([])
    expect([lineOf(['a']), lineOf(['b', 1, 'c']), lineOf(['b', 1, 'd']), lineOf(['z'])]).toEqual([1, 4, 4, undefined])
  })

  it('readYamlDocument reports every repeated key with its line', () => {
    expect(readYamlDocument('a: 1\nb: { c: 1, c: 2 }\na: 2').faults).toEqual([
      { type: 'repeated-key', key: 'a', line: 3 },
      { type: 'repeated-key', key: 'c', line: 2 },
    ])
  })

  it('readYamlDocument returns no data for a syntax error, and none if aliases expand to too much', () => {
    expect(readYamlDocument('a: [')).toMatchObject({ value: undefined, faults: [{ type: 'syntax', line: 1 }] })
    const layers = Array.from({ length: 12 }, (_, at) => `x${at + 1}: &x${at + 1} [${`*x${at},`.repeat(10)}]`)
    const { value, faults } = readYamlDocument(['x0: &x0 [1]', ...layers].join('\n'))
    expect(value).toBeUndefined()
    expect(faults).toMatchObject([{ type: 'syntax', message: expect.stringContaining('alias') }])
  })

  it('readYamlDocument reports unknown tags and a second document as warnings', () => {
    expect(readYamlDocument('a: !mine x')).toMatchObject({ value: { a: 'x' }, warnings: [{ line: 1 }] })
    expect(readYamlDocument('a: 1\n---\na: 2')).toMatchObject({ value: { a: 1 }, faults: [], warnings: [{ line: 2 }] })
  })
})

it.each([
  ['flow lists', `a: ${'['.repeat(100_000)}`],
  ['closed flow lists', `a: ${'['.repeat(50_000)}${']'.repeat(50_000)}`],
  ['block lists', '- '.repeat(50_000)],
])('readYamlDocument reports %s that are nested too deeply as a syntax fault', (_, text) => {
  const { value, faults } = readYamlDocument(text)
  expect(value).toBeUndefined()
  expect(faults[0]).toMatchObject({ type: 'syntax' })
  expect(faults.length).toBeLessThan(101)
  expect(JSON.stringify(faults)).not.toContain('call stack')
})

it('readYamlDocument finds the lines of 50,000 keys in linear time', () => {
  const count = 50_000
  const { lineOf } = readYamlDocument(Array.from({ length: count }, (_, index) => `key${index}: 1`).join('\n'))
  // A search from the start for each key would compare 1,250 million keys.
  const lines = Array.from({ length: count }, (_, index) => lineOf([`key${index}`]))
  expect(lines).toEqual(Array.from({ length: count }, (_, index) => index + 1))
})
