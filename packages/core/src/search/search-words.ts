/** Scripts that put no space between words: there, each character is one. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`
const WORD = new RegExp(String.raw`[${UNSPACED}]|(?:(?![${UNSPACED}])[\p{L}\p{M}\p{N}])+`, 'gu')

const LONGEST = 64

/**
 * The words a text is found by: runs of letters and digits, without case, accents and width. Of one that is longer than 64
 * characters, the first 64.
 */
export function searchWords(text: string): ReadonlySet<string> {
  // Each changes what the other makes of some letters.
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
