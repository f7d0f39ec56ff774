import type { PiiKind } from '@parley/core/masking'
import type { RandomSource } from './random-source.ts'

const CARDS = [
  ['4###############', '4-4-4-4'],
  ['51##############', '4-4-4-4'],
  ['54##############', '4-4-4-4'],
  ['2223############', '4-4-4-4'],
  ['2720############', '4-4-4-4'],
  ['6011############', '4-4-4-4'],
  ['65##############', '4-4-4-4'],
  ['3528############', '4-4-4-4'],
  ['34#############', '4-6-5'],
  ['37#############', '4-6-5'],
  ['36############', '4-6-4'],
  ['3800##########', '4-6-4'],
  ['62##############', '4-4-4-4'],
  ['62#################', '4-4-4-4-3'],
  ['6759#############', '4-4-4-4-1'],
  ['4###############', '8-8'],
  ['50##############', '4-4-4-4'],
  ['2200############', '4-4-4-4'],
] as const

const IBANS = [
  'DE:##################', 'FR:##########@@########@##', 'GB:@@@@##############', 'ES:####################', 'NL:@@@@##########',
  'IT:@##########@#########@#', 'AT:################', 'CH:#####@##########@', 'BE:############', 'PL:########################',
  'SE:####################', 'NO:###########', 'DK:##############', 'FI:##############', 'PT:#####################', 'IE:@@@@##############',
  'MT:@@@@#####@@##########@##@##', 'SA:##@#################', 'AE:###################', 'TR:######@@#######@######', 'BR:#######################@#',
  'CZ:####################', 'RO:@@@@####@@@#########', 'LU:###@#########@##', 'GR:#######@@###########@##', 'HU:########################',
  'UA:######@##################', 'IL:###################', 'KZ:###@####@#######', 'SC:@@@@####################@@@',
]

const STRONG_PHONES = [
  '+49 30 #######', '+4930#######', '+49 (0)30 ######', '+49-171-#######', '+49 171 ### ## ##', '+49.171.#######', '+49/171/#######', '+1 (NNN) NNN-####',
  '+1-NNN-NNN-####', '+1NNNNNN####', '+1.NNN.NNN.####', '+1 NNN NNN ####', '+33 6 ## ## ## ##', '+33 (0)1 ## ## ## ##', '+336########', '+44 20 7### ####',
  '+44 7### ######', '+447#########', '+34 6## ### ###', '+34 6## ## ## ##', '+39 06 #### ####', '+39 3## #######', '+86 138 #### ####', '+86-138-####-####',
  '+86138########', '+81 3-####-####', '+81-90-####-####', '+8190########', '+82 10-####-####', '+82-2-####-####', '+91 98### #####', '+55 11 9####-####',
  '+7 495 ###-##-##', '+41 44 ### ## ##', '+43 1 #######', '+43 664 #######', '+31 6 ########', '+46 70 ### ## ##', '+353 1 ### ####', '+48 5## ### ###',
  '+61 4## ### ###', '+65 6### ####', '+852 9### ####', '+971 50 ### ####', '+972-54-###-####', '+351 91# ### ###', '+420 6## ### ###', '+30 21# ### ####',
  '+380 50 ### ## ##', '+90 532 ### ## ##', '+52 55 #### ####', '+62 812-####-####', '+66 8# ### ####', '+84 90 ### ## ##', '+20 10 #### ####', '+27 82 ### ####',
  '0049 30 #######', '004930#######', '0033 1 ## ## ## ##', '0044 20 7### ####', '001 NNN NNN ####', '(NNN) NNN-####', 'NNN-NNN-####', 'NNN.NNN.####', 'NNN NNN ####',
  '1-NNN-NNN-####', '(0171) #######', '030 #######', '030/#######', '0171-#######', '0171 ### ## ##', '0171/#######', '01 ## ## ## ##', '06.##.##.##.##', '06-##-##-##-##',
  '020 7### ####', '07### ######', '03-####-####', '090-####-####', '010-####-####', '02-###-####', '138 #### ####', '138-####-####', '6## ## ## ##', '04## ### ###',
  '+1 NNN-NNN-#### ext. ###', '(NNN) NNN-#### x##', '+49 30 ######-0', '8 (495) ###-##-##', '(11) 9####-####', '06########', '07#########', '0171#######', '090########',
]

/** Formats that only a word such as `phone` marks as a phone number. */
const WEAK_PHONES = ['NNNNNN####', '030#######', '555 #### ##', 'NNN-####', '6########', '#### ####', '1NNNNNN####', '138########', '91# ### ###', '12 ## ## ##', '98### #####']

const LOCALS = ['ann', 'Ann.Lee', 'ann+tag', 'j_doe', 'sales-team', 'o.hara98', 'ANN', 'x', 'jürgen', 'no.reply-77', 'марина', 'a.b.c.d', '12345', "O'Neil", '_ann']
const DOMAINS = ['example.org', 'mail.example.co.uk', 'sub.a.b.example.com', 'müller.example', 'xn--mller-kva.example', 'example.museum', 'firma-nord.de', 'пример.рф', '163.com', 'a1.io']
const V6 = ['2001:db8:%:%:%:%:%:%', '2001:db8::%', 'fe80::%:%:%:%', '2a02:8b0a:%::1', '2001:0db8:0000:0000:0000:%:%:%', '::ffff:203.0.113.#', '2A02:%::%:1']

/** Returns a value of the kind, in a format that the finder recognizes without a word such as `phone` beside it. */
export function strongValue(kind: PiiKind, random: RandomSource, separators = [' ', '-']): string {
  switch (kind) {
    case 'card':
      return card(random, ['', ...separators])
    case 'iban':
      return iban(random, ['', ...separators])
    case 'ssn':
      return ssn(random, '-')
    case 'ip':
      return ip(random)
    case 'email':
      return `${random.pick(LOCALS)}@${random.pick(DOMAINS)}`
    case 'phone':
      return random.fill(random.pick(STRONG_PHONES))
  }
}

/** Returns a value that only a word beside it marks as personal data. */
export function weakValue(kind: PiiKind, random: RandomSource): string {
  if (kind === 'phone') return random.fill(random.pick(WEAK_PHONES))
  return kind === 'ssn' ? ssn(random, random.pick(['', ' ', '.', '/'])) : strongValue(kind, random)
}

export function card(random: RandomSource, separators: readonly string[]): string {
  const [pattern, shape] = random.pick(CARDS)
  const body = random.fill(pattern).slice(0, -1)
  return grouped(body + luhnDigit(body), shape.split('-').map(Number), random.pick(separators))
}

export function luhnDigit(body: string): number {
  let sum = 0
  for (const [index, digit] of Array.from(body).toReversed().entries()) {
    const doubled = index % 2 === 0 ? Number(digit) * 2 : Number(digit)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return (10 - (sum % 10)) % 10
}

export function iban(random: RandomSource, separators: readonly string[]): string {
  const [country = '', pattern = ''] = random.pick(IBANS).split(':')
  const body = random.fill(pattern)
  const digits = Array.from(`${body}${country}00`, character => Number.parseInt(character, 36)).join('')
  const check = String(98n - (BigInt(digits) % 97n)).padStart(2, '0')
  const text = country + check + body
  const cased = random.int(0, 5) === 0 ? text.toLowerCase() : text
  return (cased.match(/.{1,4}/g) ?? []).join(random.pick(separators))
}

function ssn(random: RandomSource, separator: string): string {
  return [random.pick(['123', '219', '457', '501', '899']), random.int(10, 99), random.int(1000, 9999)].join(separator)
}

function ip(random: RandomSource): string {
  if (random.int(0, 2) > 0) return [random.pick([10, 172, 192, 203, 8, 54, 91]), ...[0, 0, 0].map(() => random.int(1, 254))].join('.')
  return random.fill(random.pick(V6)).replaceAll('%', () => random.int(0x10_00, 0xff_ff).toString(16))
}

function grouped(digits: string, lengths: readonly number[], separator: string): string {
  let at = 0
  return lengths.map(length => digits.slice(at, (at += length))).join(separator)
}
