/**
 * A text in which characters and escapes of the same meaning have one spelling, for example `%40` as `@`. It maps each
 * position back to the original text.
 */
export interface FoldedText {
  /** The text that is searched. Digits, spaces, hyphens and the characters of addresses are ASCII in it. */
  readonly text: string
  /** Returns the position in the original text at which the folded character at `index` begins. */
  startOf(index: number): number
  /** Returns the position in the original text at which the folded character before `index` ends. */
  endOf(index: number): number
  /** Returns the first folded position that begins at `start` of the original text or later. */
  indexOf(start: number): number
}

/** A quick test. Most texts of an English conversation have nothing to fold. */
const ANY = /[\u00A0-\u{10FFFF}]|%[0-9a-f]{2}|\\|&[#a-z]|[[({<]\s?(?:at|dot|punkt)\s?[\])}>]/iu

const INVISIBLE = String.raw`[\u00AD\u034F\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFE0F\uFEFF]`

const FOLDS = new RegExp(
  [
    `${INVISIBLE}{1,8}`,
    String.raw`[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]`,
    String.raw`[\u2010-\u2013\u2212\uFE58\uFE63]`,
    // Longer dashes and Katakana length marks separate the groups of a number only between digits.
    String.raw`(?<=\p{Nd})[\u2014\u2015\u30FC\uFF70](?=\p{Nd})`,
    String.raw`(?<=[\p{L}\p{Nd}] ?)[\u00B7\u2022\u2024\u2027\u2219\u22C5\u30FB\uFF65](?= ?[\p{L}\p{Nd}])`,
    String.raw`[\uFF01-\uFF5E\uFE50\uFE52\uFE55\uFE6B\uFE62]`,
    String.raw`(?![0-9])\p{Nd}`,
    '%[0-9a-f]{2}',
    String.raw`\\(?:u\{?[0-9a-f]{4}\}?|x[0-9a-f]{2}|[nrt]|[-+_.@()/#])`,
    String.raw`&(?:#\d{2,7}|#x[0-9a-f]{2,6}|nbsp|thinsp|ensp|emsp|hairsp|commat|period|plus|lpar|rpar|colon|sol|lowbar|hyphen|dash|ndash|shy|zwj|zwnj|zerowidthspace);`,
    String.raw` ?[[({<]\s?(?:at|dot|punkt)\s?[\])}>] ?`,
  ].join('|'),
  'giu',
)
const FOLD = new RegExp(FOLDS.source, 'iu')

const ENTITIES: Readonly<Record<string, string>> = {
  commat: '@',
  period: '.',
  plus: '+',
  lpar: '(',
  rpar: ')',
  colon: ':',
  sol: '/',
  lowbar: '_',
  hyphen: '-',
  dash: '-',
  ndash: '-',
  shy: '',
  zwj: '',
  zwnj: '',
  zerowidthspace: '',
}

/**
 * Replaces the different spellings of a character, such as escapes and full-width forms, by one, so that the finders of
 * personal data need to know only that one.
 */
export function foldText(original: string): FoldedText {
  return ANY.test(original) ? folded(original) : unchanged(original)
}

function unchanged(text: string): FoldedText {
  return { text, startOf: index => index, endOf: index => index, indexOf: start => start }
}

/** A part of the original text that is replaced by no character or one. */
interface Replacement {
  readonly index: number
  readonly start: number
  readonly end: number
  readonly length: number
}

function folded(original: string): FoldedText {
  const replacements: Replacement[] = []
  let text = ''
  let from = 0
  for (const { start, end, by } of foldsOf(original)) {
    text += original.slice(from, start)
    replacements.push({ index: text.length, start, end, length: by.length })
    text += by
    from = end
  }
  if (replacements.length === 0) return unchanged(original)
  text += original.slice(from)

  /** Returns the last replacement for which `before` holds. The replacements are in order. */
  function last(before: (replacement: Replacement) => boolean): Replacement | undefined {
    let low = 0
    let high = replacements.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const candidate = replacements[middle]
      if (candidate !== undefined && before(candidate)) low = middle + 1
      else high = middle
    }
    return replacements[low - 1]
  }
  function rangeOf(index: number): readonly [number, number] {
    const found = last(replacement => replacement.index <= index)
    if (found === undefined) return [index, index + 1]
    const offset = index - found.index - found.length
    return offset < 0 ? [found.start, found.end] : [found.end + offset, found.end + offset + 1]
  }
  return {
    text,
    startOf: index => rangeOf(index)[0],
    endOf: index => (index === 0 ? 0 : rangeOf(index - 1)[1]),
    indexOf(start) {
      const found = last(replacement => replacement.start < start)
      if (found === undefined) return start
      return found.index + found.length + Math.max(0, start - found.end)
    },
  }
}

interface Fold {
  readonly start: number
  readonly end: number
  /** The replacement: a character or nothing. */
  readonly by: string
}

function* foldsOf(text: string): Generator<Fold> {
  FOLDS.lastIndex = 0
  for (let match = FOLDS.exec(text); match !== null; match = FOLDS.exec(text)) {
    const start = match.index
    const found = match[0]
    const fold = found.startsWith('%') ? unescapePercent(text, start) : { end: start + found.length, by: plain(found) }
    if (fold === undefined) continue
    FOLDS.lastIndex = fold.end
    if (fold.by.length <= 1) yield { start, ...fold }
  }
}

const SPACES = /^[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/u
const HYPHENS = /^[\u2010-\u2015\u2212\uFE58\uFE63\u30FC\uFF70]/u
const DOTS = /^[\u00B7\u2022\u2024\u2027\u2219\u22C5\u30FB\uFF65\uFE52]/u
/** What `%` and two hexadecimal digits can stand for. Letters and digits are never escaped: before them, `%` is a wildcard of SQL. */
const ESCAPED = /[\t\n\r "#&()+./:;@[\]_{|}\u0080-\u{10FFFF}-]/u
/**
 * What `%` and two hexadecimal digits can stand for after a quotation mark. It is less than `ESCAPED`, because `'%20…'` is often
 * a wildcard of SQL before a number.
 */
const ESCAPED_FIRST = /[+@[(\u0080-\u{10FFFF}]/u
const HIDDEN = new RegExp(`^${INVISIBLE}`, 'u')

/** Returns the character that a match of `FOLDS` stands for. */
function plain(found: string): string {
  const first = found.charAt(0)
  const code = found.codePointAt(0) ?? 0
  if (first === '\\') return unescapeBackslash(found)
  if (first === '&') return unescapeEntity(found.slice(1, -1).toLowerCase())
  if (code < 0x80) return /at/i.test(found) ? '@' : '.'
  if (HIDDEN.test(found)) return ''
  if (SPACES.test(found)) return ' '
  if (HYPHENS.test(found)) return '-'
  if (DOTS.test(found)) return '.'
  if (code >= 0xff_01 && code <= 0xff_5e) return String.fromCodePoint(code - 0xfe_e0)
  return /\p{Nd}/u.test(found) ? String(digitValue(code)) : found.normalize('NFKC')
}

/** Returns the value of a decimal digit. Unicode keeps the ten digits of a script together, zero first. */
function digitValue(code: number): number {
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1
  return before % 10
}

function unescapeBackslash(found: string): string {
  const hex = /^\\[ux]\{?([0-9a-f]+)/i.exec(found)?.[1]
  if (hex !== undefined) return foldCharacter(Number.parseInt(hex, 16))
  return /^\\[nrt]/.test(found) ? '\n' : found.charAt(1)
}

function unescapeEntity(name: string): string {
  if (name.startsWith('#x')) return foldCharacter(Number.parseInt(name.slice(2), 16))
  if (name.startsWith('#')) return foldCharacter(Number(name.slice(1)))
  return ENTITIES[name] ?? ' '
}

/** Decodes the percent escapes of one character. They may be escaped twice (`%2540`). `undefined` if they are invalid. */
function unescapePercent(text: string, start: number): { readonly end: number; readonly by: string } | undefined {
  const escapes = /(?:%(?:25)?[0-9a-f]{2}){1,4}/iy
  escapes.lastIndex = start
  const bytes = escapes.exec(text)?.[0].match(/%(?:25(?=[0-9a-f]{2}))?[0-9a-f]{2}/gi) ?? []
  const first = Number.parseInt(bytes[0]?.slice(-2) ?? '', 16)
  const count = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  const used = bytes.slice(0, count)
  try {
    const character = decodeURIComponent(used.map(byte => `%${byte.slice(-2)}`).join(''))
    const isFirst = /['"]/.test(text.charAt(start - 1))
    if (!(isFirst ? ESCAPED_FIRST : ESCAPED).test(character)) return undefined
    return { end: start + used.join('').length, by: foldCharacter(character.codePointAt(0) ?? 0) }
  } catch {
    return undefined
  }
}

/** Folds an unescaped character. A character that is invalid or needs two UTF-16 units becomes a space. */
function foldCharacter(code: number): string {
  if (!(code < 0x1_00_00)) return ' '
  const character = String.fromCodePoint(code)
  return code < 0x80 || !FOLD.test(character) ? character : plain(character)
}
