/** A text, by the words it is found by. */
export interface WordDocument {
  readonly words: Iterable<string>
}

export interface WordQuery {
  /** What is looked for, from `searchWords`. */
  readonly words: Iterable<string>
  /** How many documents there are, with those that are left out because they have no word of the query. @default those given */
  readonly total?: number | undefined
}

/** Letters from which a word of a query finds longer ones. */
export const WORD_PREFIX_LENGTH = 3

/**
 * The documents that have a word of the query, the best first, and as they were given among equals. A word of the query
 * of at least `WORD_PREFIX_LENGTH` letters is also found in longer words that begin with it. A word counts the more the fewer documents
 * have it: the logarithm of 1 + all documents / those that have it, once, however often it is there.
 */
export function rankByWords<TDocument extends WordDocument>(
  documents: readonly TDocument[],
  query: WordQuery,
): readonly TDocument[] {
  const { words, total = documents.length } = query
  const found = new Map<TDocument, number[]>()
  for (const asked of new Set(words)) {
    const having = documents.filter(document => hasWord(document, asked))
    for (const document of having) found.set(document, [...(found.get(document) ?? []), having.length])
  }
  const scores = new Map([...found].map(([document, counts]) => [document, scoreOf(counts, total)]))
  const scoreAt = (document: TDocument): number => scores.get(document) ?? 0
  return documents.filter(document => scores.has(document)).toSorted((a, b) => scoreAt(b) - scoreAt(a))
}

function hasWord({ words }: WordDocument, asked: string): boolean {
  const long = asked.length >= WORD_PREFIX_LENGTH
  for (const word of words) if (word === asked || (long && word.startsWith(asked))) return true
  return false
}

/** Summed in one order, so that equals are equal to the last bit. */
function scoreOf(counts: readonly number[], total: number): number {
  return counts.toSorted((a, b) => a - b).reduce((sum, having) => sum + Math.log(1 + total / having), 0)
}
