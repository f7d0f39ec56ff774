import type { PiiSpan } from './pii-span.ts'
import { isWord, textBefore } from './text-edges.ts'

/** Length of an IBAN, by country. The second part lists countries that use the format outside the registry. */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 ' +
    'FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 ' +
    'LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 ' +
    'SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30 ' +
    'AO25 BF28 BJ28 CF27 CG27 CI28 CM27 CV25 DZ26 GA27 GQ27 GW25 IR26 KM27 MA28 MG27 ML28 MZ25 NE28 SN28 TD27 TG28'
  )
    .split(' ')
    .map(entry => [entry.slice(0, 2), Number(entry.slice(2))]),
)

/** A country and check digits. Other characters than spaces and hyphens also separate groups, for example in addresses (`+`). */
const START = /[A-Z]{2}(?: ?[-._/+]?|\r?\n) ?\d ?\d/gi
const SEPARATOR = /(?: ?[-._/+] ?(?:\r?\n *)?| {1,2}|\r?\n[ >]{0,8})/y
const GROUP = /[A-Z0-9]{1,35}/iy

/** Finds IBANs with the length of their country and valid check digits. */
export function* findIbans(text: string, from: number): Generator<PiiSpan> {
  START.lastIndex = from
  for (let match = START.exec(text); match !== null; match = START.exec(text)) {
    const start = match.index
    const length = LENGTHS.get(match[0].slice(0, 2).toUpperCase())
    const end = length === undefined || !beginsValue(text, start) ? undefined : endOf(text, start, length)
    // A generator can be left between two values, and `START` is shared.
    START.lastIndex = end ?? start + 1
    if (end !== undefined) yield { kind: 'iban', start, end }
  }
}

/** Whether an IBAN may begin at `start`: at the beginning of a word, or directly after `IBAN`, as in `IBANDE89…`. */
function beginsValue(text: string, start: number): boolean {
  return !isWord(text, start - 1) || /(?<![a-z0-9])iban$/i.test(textBefore(text, start, 5))
}

/** Returns the end of an IBAN of `length` letters and digits. `undefined` if the text at `start` is not one. */
function endOf(text: string, start: number, length: number): number | undefined {
  const groups: string[] = []
  let count = 0
  let at = start
  while (count < length) {
    if (groups.length > 0) {
      SEPARATOR.lastIndex = at
      const separator = SEPARATOR.exec(text)
      if (separator === null) return undefined
      at = SEPARATOR.lastIndex
    }
    GROUP.lastIndex = at
    const group = GROUP.exec(text)?.[0]
    if (group === undefined) return undefined
    groups.push(group)
    count += group.length
    at += group.length
  }
  if (count !== length || isWord(text, at)) return undefined
  const iban = groups.join('').toUpperCase()
  return isGrouped(groups, iban) && remainder(iban.slice(4) + iban.slice(0, 4)) === 1 ? at : undefined
}

/** Accepts groups of four, and any groups of mostly digits. Words in a sentence have neither form. */
function isGrouped(groups: readonly string[], iban: string): boolean {
  if (groups.length === 1) return true
  if (groups.slice(0, -1).every(group => group.length === 4) && (groups.at(-1)?.length ?? 0) <= 4) return true
  return /^[A-Z]{2}\d{2}[A-Z0-9]{0,4}\d*[A-Z]?\d*$/.test(iban)
}

/** Computes the number modulo 97, with letters read as 10 to 35. */
function remainder(text: string): number {
  let rest = 0
  for (const character of text) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest
}
