/** Scripts without spaces between words. Each of their characters counts as a word. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`
const WORD = new RegExp(String.raw`[${UNSPACED}]|(?:(?![${UNSPACED}])[\p{L}\p{M}\p{N}])+`, 'gu')

const LONGEST = 64

/**
 * Returns the words by which a text is found: sequences of letters and digits. Case, accents and character width do not
 * matter. A word of more than 64 characters is cut.
 */
export function searchWords(text: string): ReadonlySet<string> {
  // Twice, because normalization can produce upper-case letters, and lower-casing changes what is normalized.
  const folded = text
    .toLowerCase()
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036F]/g, '')
  return new Set(folded.match(WORD)?.map(word => (word.length > LONGEST ? cut(word) : word)))
}

function cut(word: string): string {
  return Array.from(word).slice(0, LONGEST).join('')
}
