/** A text to search. */
export interface WordDocument {
  /** Words of the text, from `searchWords`. */
  readonly words: Iterable<string>
}

/** A search for words. */
export interface WordQuery {
  /** The words to find, from `searchWords`. */
  readonly words: Iterable<string>
  /** Number of all documents, including those that the caller left out because they have no word of the query. @default the number of given documents */
  readonly total?: number | undefined
}

/** Smallest length of a query word that also matches longer words with this prefix. */
export const WORD_PREFIX_LENGTH = 3

/**
 * Returns the documents that have a word of the query, best match first. Equal matches keep their order. A query word of at
 * least `WORD_PREFIX_LENGTH` letters also matches longer words that begin with it. Each query word that a document has adds
 * log(1 + all documents / documents with the word) to its score, so rare words count more. Repetitions do not count.
 */
export function rankByWords<TDocument extends WordDocument>(
  documents: readonly TDocument[],
  query: WordQuery,
): readonly TDocument[] {
  const { words, total = documents.length } = query
  const found = new Map<TDocument, number[]>()
  for (const word of new Set(words)) {
    const matching = documents.filter(document => hasWord(document, word))
    for (const document of matching) found.set(document, [...(found.get(document) ?? []), matching.length])
  }
  const scores = new Map([...found].map(([document, counts]) => [document, scoreOf(counts, total)]))
  const scoreAt = (document: TDocument): number => scores.get(document) ?? 0
  return documents.filter(document => scores.has(document)).toSorted((a, b) => scoreAt(b) - scoreAt(a))
}

function hasWord({ words }: WordDocument, wanted: string): boolean {
  const isPrefix = wanted.length >= WORD_PREFIX_LENGTH
  for (const word of words) if (word === wanted || (isPrefix && word.startsWith(wanted))) return true
  return false
}

/** Adds the scores of the words in sorted order, so that equal sets of words have exactly equal sums. */
function scoreOf(counts: readonly number[], total: number): number {
  return counts.toSorted((a, b) => a - b).reduce((sum, matching) => sum + Math.log(1 + total / matching), 0)
}
