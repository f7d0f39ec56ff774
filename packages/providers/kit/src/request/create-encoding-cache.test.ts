import { describe, expect, it } from 'vitest'
import { createEncodingCache } from './create-encoding-cache.ts'

describe('createEncodingCache', () => {
  it('the encoding cache encodes one value once, and an equal value again', () => {
    let encoded = 0
    const encode = createEncodingCache((value: { readonly n: number }) => `${value.n}#${++encoded}`)
    const one = { n: 1 }
    expect([encode(one), encode(one), encode({ n: 1 })]).toEqual(['1#1', '1#1', '1#2'])
  })
})
