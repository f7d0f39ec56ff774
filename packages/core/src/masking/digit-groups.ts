/** Digits without anything between them. */
export interface DigitGroup {
  readonly start: number
  readonly end: number
  /** The kind of separator before the group: its main character. `undefined` if the group begins a number. */
  readonly gap: string | undefined
}

/** The longest separator inside a number. */
const MAX_GAP = 10
const GAP = /^(?: ?([-./_+]) ?|( ){1,2}|(-?) *\r?\n[ >]*| ?([()])[ .\-/]{0,2}\(?)$/

/** Reads the groups of digits from `from` on, and the separators between them. */
export function readDigitGroups(text: string, from: number): readonly DigitGroup[] {
  const groups: DigitGroup[] = []
  const digits = /[0-9]+/g
  digits.lastIndex = from
  let last = -1
  for (let match = digits.exec(text); match !== null; match = digits.exec(text)) {
    const start = match.index
    const gap = last < 0 || start - last > MAX_GAP ? undefined : gapKind(text.slice(last, start))
    last = start + match[0].length
    groups.push({ start, end: last, gap })
  }
  return groups
}

function gapKind(between: string): string | undefined {
  if (between === ' ' || between === '-' || between === '.') return between
  const match = GAP.exec(between)
  if (match === null) return undefined
  const [, sign, space, hyphen, bracket] = match
  return sign ?? space ?? bracket ?? (hyphen === '-' ? '-' : '\n')
}
