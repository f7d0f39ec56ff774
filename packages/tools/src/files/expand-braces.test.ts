import { describe, expect, it } from 'vitest'
import { expandBraces } from './expand-braces.ts'

describe('expandBraces', () => {
  it.each([
    ['*.ts', ['*.ts']],
    ['*.{ts,tsx}', ['*.ts', '*.tsx']],
    ['{a,b}/{c,d}', ['a/c', 'a/d', 'b/c', 'b/d']],
    ['{a,{b,c}}.x', ['a.x', 'b.x', 'c.x']],
    ['a{}b', ['a{}b']],
    ['a{b}c', ['a{b}c']],
    ['{a,b', ['{a,b']],
  ])('expandBraces expands %s to %j', (glob, patterns) => {
    expect(expandBraces(glob)?.toSorted()).toEqual(patterns.toSorted())
  })

  it('expandBraces keeps a long glob with an unclosed brace in linear time', () => {
    // An expression that backtracks would take 2,500 million steps for the commas.
    const glob = `{${','.repeat(100_000)}`
    expect(expandBraces(glob)).toEqual([glob])
  })

  it('expandBraces returns undefined for a glob that expands to too many patterns', () => {
    expect(expandBraces('{a,b}'.repeat(30))).toBeUndefined()
  })
})
