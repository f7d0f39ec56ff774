import { describe, expect, it } from 'vitest'
import { jsonTextFault, storageFault } from './storage-fault.ts'

function nested(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { value }
  return value
}

describe('storageFault', () => {
  it.each([1, 'text', null, undefined, Number.NaN, '\0', '\ud800', nested(256), { a: [{ b: 'c' }] }])(
    'storageFault finds no fault in %j',
    value => {
      expect(storageFault(value)).toBeUndefined()
    },
  )

  it('storageFault names values that JSON.stringify cannot write or a store cannot read back', () => {
    const cycle: Record<string, unknown> = {}
    cycle['self'] = { cycle }
    expect(storageFault(nested(257))).toContain('256 levels')
    expect(storageFault(nested(100_000))).toContain('256 levels')
    expect(storageFault(cycle)).toContain('256 levels')
    expect(storageFault({ list: [1n] })).toContain('BigInt')
    expect(storageFault({ a: 'x'.repeat(60_000_000), b: 'x'.repeat(60_000_000) })).toContain('larger than')
  })

  it('storageFault ends for a small value that contains the same object many times', () => {
    let value: unknown = 'leaf'
    for (let level = 0; level < 200; level++) value = [value, value]
    expect(storageFault(value)).toContain('larger than')
  })
})

describe('jsonTextFault', () => {
  it('jsonTextFault counts brackets outside of strings, also in malformed text', () => {
    expect(jsonTextFault('['.repeat(9_000))).toContain('256 levels')
    expect(jsonTextFault(`${'{"a":'.repeat(257)}1`)).toContain('256 levels')
    expect(jsonTextFault(`${'['.repeat(256)}${']'.repeat(256)}`)).toBeUndefined()
    expect(jsonTextFault(JSON.stringify({ text: `"\\${'['.repeat(9_000)}` }))).toBeUndefined()
    expect(jsonTextFault('[],'.repeat(9_000))).toBeUndefined()
  })
})
