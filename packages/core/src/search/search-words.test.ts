import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { searchWords } from './search-words.ts'

const wordsOf = (text: string): readonly string[] => [...searchWords(text)]

describe('searchWords', () => {
  it('searchWords returns each sequence of letters and digits once', () => {
    expect(wordsOf('Order 66: the order, a_b — 3.14!')).toEqual(['order', '66', 'the', 'a', 'b', '3', '14'])
    expect(wordsOf(' …!\u0000')).toEqual([])
  })

  it('searchWords ignores case, accents and width', () => {
    expect(wordsOf('CAFÉ café Ｃａｆｅ')).toEqual(['cafe'])
    expect(wordsOf('İstanbul ﬁle')).toEqual(['istanbul', 'file'])
  })

  it('searchWords keeps the vowel signs of scripts that write them as marks', () => {
    expect(wordsOf('हिन्दी')).toHaveLength(1)
    expect(searchWords('कि')).not.toEqual(searchWords('कु'))
  })

  it('searchWords treats each character of scripts without spaces as a word', () => {
    expect(wordsOf('我喜欢 tea绿')).toEqual(['我', '喜', '欢', 'tea', '绿'])
  })

  it('searchWords cuts a word to 64 characters without splitting a character', () => {
    expect(wordsOf('x'.repeat(70))).toEqual(['x'.repeat(64)])
    expect(wordsOf('𝔘'.repeat(70)).map(word => Array.from(word).length)).toEqual([64])
    expect(wordsOf('𐐨'.repeat(70))).toEqual(['𐐨'.repeat(64)])
  })

  it('searchWords returns the same words when it is applied to its own result', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const words = searchWords(text)
        expect(searchWords([...words].join(' '))).toEqual(words)
      }),
      { numRuns: 1_000 },
    )
  })
})
