import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rankByWords } from './rank-by-words.ts'
import { searchWords } from './search-words.ts'

/** The texts that are found, in their order. */
function found(texts: readonly string[], query: string): readonly string[] {
  const documents = texts.map(text => ({ text, words: searchWords(text) }))
  return rankByWords(documents, { words: searchWords(query) }).map(({ text }) => text)
}

describe('rankByWords', () => {
  it('leaves out what has no word of the query', () => {
    expect(found(['green tea', 'black coffee'], 'tea')).toEqual(['green tea'])
    expect(found(['green tea'], '?!')).toEqual([])
  })

  it('puts a rare word before common ones', () => {
    const texts = ['what is the plan', 'what is the time', 'what is the end', 'favourite colour']
    expect(found(texts, 'what is the favourite colour')[0]).toBe('favourite colour')
  })

  it('puts more words before fewer, and keeps the given order among equals', () => {
    expect(found(['a red car', 'a blue bus', 'a red bus'], 'red bus')).toEqual(['a red bus', 'a red car', 'a blue bus'])
  })

  it('counts a word once, however often it is there', () => {
    expect(found(['tea', 'tea tea tea'], 'tea')).toEqual(['tea', 'tea tea tea'])
  })

  it('finds longer words by their first three letters or more, and no shorter ones by a longer word', () => {
    expect(found(['deployments', 'dep', 'de', 'redeploy'], 'dep')).toEqual(['deployments', 'dep'])
    expect(found(['deployments'], 'de')).toEqual([])
    expect(found(['deploy'], 'deployments')).toEqual([])
  })

  it('finds the same, in the same order, when it is given those alone that have a word of the query', () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'c', 'tea', 'team', 'teams'), { maxLength: 5 })
    fc.assert(
      fc.property(fc.array(words, { maxLength: 8 }), words, (texts, query) => {
        const documents = texts.map(each => ({ words: each }))
        const all = rankByWords(documents, { words: query })
        const some = documents.filter(document => all.includes(document))
        expect(rankByWords(some, { words: query, total: documents.length })).toEqual(all)
        // The order of the query's words does not count.
        expect(rankByWords(documents, { words: query.toReversed() })).toEqual(all)
      }),
    )
  })
})
