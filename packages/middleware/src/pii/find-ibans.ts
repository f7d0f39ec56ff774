import type { PiiSpan } from './pii-span.ts'

/** Length of an IBAN, by country. */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 ' +
    'GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 ' +
    'MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 ' +
    'TN24 TR26 UA29 VA22 VG24 XK20'
  )
    .split(' ')
    .map(entry => [entry.slice(0, 2), Number(entry.slice(2))]),
)

const START = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}/giu

/** Finds IBANs with the length of their country and valid check digits. */
export function* findIbans(text: string): Generator<PiiSpan> {
  for (const { 0: match, index } of text.matchAll(START)) {
    const length = LENGTHS.get(match.slice(0, 2).toUpperCase())
    const end = length === undefined ? undefined : endOf(text, index, length)
    if (end === undefined) continue
    const iban = text.slice(index, end).replaceAll(/[ -]/g, '').toUpperCase()
    if (remainder(iban.slice(4) + iban.slice(0, 4)) === 1) yield { kind: 'iban', start: index, end }
  }
}

/** Returns the end of `length` letters and digits, which may stand in groups. `undefined` if there are more or fewer. */
function endOf(text: string, start: number, length: number): number | undefined {
  let count = 0
  for (let index = start; index < text.length; index++) {
    const character = text.charAt(index)
    if (/[A-Za-z0-9]/.test(character)) count += 1
    else if (!/[ -]/.test(character) || /[ -]/.test(text.charAt(index - 1))) return undefined
    if (count === length) return /[\p{L}\p{N}]/u.test(text.charAt(index + 1)) ? undefined : index + 1
  }
  return undefined
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
