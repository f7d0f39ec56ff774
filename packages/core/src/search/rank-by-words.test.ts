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
  it('rankByWords omits documents without a word of the query', () => {
    expect(found(['green tea', 'black coffee'], 'tea')).toEqual(['green tea'])
    expect(found(['green tea'], '?!')).toEqual([])
  })

  it('rankByWords ranks a match of a rare word above matches of common words', () => {
    const texts = ['what is the plan', 'what is the time', 'what is the end', 'favourite colour']
    expect(found(texts, 'what is the favourite colour')[0]).toBe('favourite colour')
  })

  it('rankByWords ranks more matching words higher and keeps the order of equal matches', () => {
    expect(found(['a red car', 'a blue bus', 'a red bus'], 'red bus')).toEqual(['a red bus', 'a red car', 'a blue bus'])
  })

  it('rankByWords counts a repeated word once', () => {
    expect(found(['tea', 'tea tea tea'], 'tea')).toEqual(['tea', 'tea tea tea'])
  })

  it('rankByWords matches longer words by a prefix of at least three letters, but no shorter words', () => {
    expect(found(['deployments', 'dep', 'de', 'redeploy'], 'dep')).toEqual(['deployments', 'dep'])
    expect(found(['deployments'], 'de')).toEqual([])
    expect(found(['deploy'], 'deployments')).toEqual([])
  })

  it('rankByWords gives the same order if the caller passes only documents with a word of the query and the total', () => {
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
