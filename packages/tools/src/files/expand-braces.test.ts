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
  ])('%s stands for %j', (glob, patterns) => {
    expect(expandBraces(glob)?.toSorted()).toEqual(patterns.toSorted())
  })

  it('gives up on a glob that stands for too many', () => {
    expect(expandBraces('{a,b}'.repeat(30))).toBeUndefined()
  })
})
