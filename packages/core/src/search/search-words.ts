/** Scripts without spaces between words. Each of their characters counts as a word. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`
/** Made at the first search: a new process takes 5 ms to load the characters of the scripts. */
let word: RegExp | undefined

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
  word ??= new RegExp(String.raw`[${UNSPACED}]|(?:(?![${UNSPACED}])[\p{L}\p{M}\p{N}])+`, 'gu')
  return new Set(folded.match(word)?.map(found => (found.length > LONGEST ? cut(found) : found)))
}

function cut(word: string): string {
  return Array.from(word).slice(0, LONGEST).join('')
}
