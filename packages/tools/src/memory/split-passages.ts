const LENGTH = 240

/** Splits a text into passages of at most 240 characters, each on one line. Keeps words whole unless a word is longer. */
export function splitPassages(text: string): readonly string[] {
  const passages: string[] = []
  for (const word of text.split(/\s+/).flatMap(piecesOf)) {
    const last = passages.at(-1)
    if (last === undefined || last.length + word.length >= LENGTH) passages.push(word)
    else passages[passages.length - 1] = `${last} ${word}`
  }
  return passages
}

function piecesOf(word: string): readonly string[] {
  return word.match(/.{1,240}/gsu) ?? []
}
