/** Scripts that are written without spaces: a value can stand directly beside their letters. */
const UNSPACED = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}`

/** A letter or digit that would be part of the same word as an adjacent digit or Latin letter. */
export const WORD = String.raw`(?![${UNSPACED}])[\p{L}\p{N}]`
/** A letter of a script that is written without spaces. */
export const UNSPACED_LETTER = String.raw`(?=\p{L})[${UNSPACED}]`

const WORD_CHARACTER = new RegExp(WORD, 'u')

/** Returns whether the character at `index` continues a word. */
export function isWord(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  if (code < 0x80) return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
  return code >= 0x80 && WORD_CHARACTER.test(text.charAt(index))
}

/** Returns whether the character at `index` is an ASCII digit. */
export function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code >= 48 && code <= 57
}

/** Returns up to `length` characters before `index`. */
export function textBefore(text: string, index: number, length: number): string {
  return text.slice(Math.max(0, index - length), index)
}

/** Returns whether a country, check digits and groups of an account number precede `index`, as in an IBAN with a wrong digit. */
export function followsAccountGroups(text: string, index: number): boolean {
  return /(?<![a-z0-9])[a-z]{2}\d{2}[ -]?(?:[a-z0-9]{4}[ -])*$/i.test(textBefore(text, index, 40))
}
