/** An escape of HTML (also escaped twice), of a URL or of JavaScript that stands for one character. */
const ESCAPE =
  /&(?:amp;|#38;|#x26;)*(?:#x0*([\da-f]{1,6});?|#0*(\d{1,7});?|(lt|lsqb|lbrack|lcub|lbrace|lang|langle);?)|(?:%|\\x)([\da-f]{2})|\\u\{?0*([\da-f]{2,6})\}?/iy
const NAMED: Readonly<Record<string, string>> = { lsqb: '[', lbrack: '[', lcub: '{', lbrace: '{' }
/** Characters that look like `<` but are not brackets in Unicode. */
const ANGLES = new Set('<˂ᐸ≺◁◂⧼‹«❬❮❰⟨⟪〈《﹤＜≪⋖')
/** Cyrillic, Greek and Armenian letters that look like Latin ones. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аα',
    c: 'сϲ',
    d: 'ԁ',
    e: 'еє',
    h: 'һ',
    i: 'іι',
    j: 'ј',
    k: 'кκ',
    l: 'ӏ',
    m: 'м',
    n: 'ոпη',
    o: 'оοօ',
    p: 'рρ',
    r: 'г',
    s: 'ѕ',
    t: 'тτ',
    u: 'սυ',
    v: 'ѵν',
    w: 'ԝш',
    x: 'хχ',
    y: 'у',
  }).flatMap(([latin, others]) => Array.from(others, other => [other, latin] as const)),
)

/**
 * Replaces everything in a text that a model could read as an opening or closing tag of this name. A model also reads spellings
 * that a parser would reject. So brackets, letters and digits are compared as they look: after unescaping, without case,
 * accents, invisible characters, spaces and punctuation.
 */
export function removeMarks(text: string, tag: string): string {
  const name = Array.from(tag)
    .flatMap(character => looksOf(character))
    .join('')
  if (name === '') return text
  const { looks, starts, ends } = skeletonOf(text)
  let result = ''
  let copied = 0
  for (let at = looks.indexOf(`<${name}`); at >= 0; at = looks.indexOf(`<${name}`, at + 1)) {
    result += `${text.slice(copied, starts[at])}[mark removed]`
    copied = ends[at + name.length] ?? text.length
  }
  return result + text.slice(copied)
}

interface Skeleton {
  /** The text as it looks, reduced to `<` for opening brackets, letters and digits. */
  readonly looks: string
  /** Where in the text each unit of `looks` starts and ends. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

function skeletonOf(text: string): Skeleton {
  let looks = ''
  const starts: number[] = []
  const ends: number[] = []
  for (let at = 0; at < text.length;) {
    const { character, length } = characterAt(text, at)
    for (const look of looksOf(character)) {
      looks += look
      starts.push(at)
      ends.push(at + length)
    }
    at += length
  }
  return { looks, starts, ends }
}

function characterAt(text: string, at: number): { readonly character: string; readonly length: number } {
  const plain = String.fromCodePoint(text.codePointAt(at) ?? 0)
  if (plain !== '&' && plain !== '%' && plain !== '\\') return { character: plain, length: plain.length }
  ESCAPE.lastIndex = at
  const match = ESCAPE.exec(text)
  if (match === null) return { character: plain, length: plain.length }
  const [whole, hex, decimal, named, byte, unicode] = match
  const code = decimal === undefined ? Number.parseInt(hex ?? byte ?? unicode ?? '3c', 16) : Number(decimal)
  const character =
    named === undefined ? (code <= 0x10ffff ? String.fromCodePoint(code) : '') : (NAMED[named.toLowerCase()] ?? '<')
  return { character, length: whole.length }
}

/** Returns what a character looks like, as single UTF-16 units: `<`, letters and digits. Empty for any other character. */
function looksOf(character: string): readonly string[] {
  if (character.length === 1 && character < '\u0080') return plainLook(character)
  if (ANGLES.has(character)) return ['<']
  return character
    .normalize('NFKD')
    .toLowerCase()
    .split('')
    .flatMap(unit => (ANGLES.has(unit) ? ['<'] : plainLook(LOOKALIKES.get(unit) ?? unit)))
}

function plainLook(unit: string): readonly string[] {
  if (unit === '<' || unit === '[' || unit === '{') return ['<']
  if (/[\p{Ps}\p{Pi}]/u.test(unit) && unit !== '(') return ['<']
  return /[\p{L}\p{N}]/u.test(unit) ? [unit.toLowerCase()] : []
}
