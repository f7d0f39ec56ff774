import { PII_KINDS, type PiiKind } from '@parley/core/masking'
import { parseLine, type LabelledLine } from './labelled-lines.ts'
import { card, iban, strongValue, weakValue } from './personal-values.ts'
import { createRandomSource, type RandomSource } from './random-source.ts'

/** Lines of many formats around a value, which is at `%`. Digits stand near the value on purpose. */
const CONTEXTS: readonly string[] = [
  // Prose
  'Please use % from now on.', 'Bitte ab heute % verwenden.', 'Voici % pour la suite, merci.', 'Desde hoy es %, gracias.', 'Нужно взять % сегодня', '请使用%谢谢', '信息：%。', '新的是%，旧的不用了', 'これは%です', '値「%」を使う', '새로운 값은 %입니다', '값%로 변경', 'ใช้%นะ',
  // CSV and TSV
  '1001,%,2024-01-02', '"Ann","%","12"', 'Ann;%;42', '7\t%\t8', '%,12', '12,%', 'a,b,%\nc,d,e', "'7','%','9'", '17|%|3',
  // SQL
  "INSERT INTO t VALUES (17,'%',3);", "INSERT INTO t (id, v) VALUES (17, N'%', 3)", "SELECT 1 FROM t WHERE v='%' AND n=12", 'UPDATE t SET v = "%" WHERE id=12', "v LIKE '%%%'".replaceAll('%%%', '\u0001%\u0001'),
  // JSON, YAML, XML, HTML
  '{"a":1,"v":"%","b":2}', String.raw`{\"v\":\"%\"}`, '["12","%"]', 'value: %', '- %', "v: '%' # 12", '<v>%</v>', '<a title="%" id="12">', '<td>12</td><td>%</td><td>3</td>', String.raw`"12\n%\n34"`, String.raw`"x\t%\tx"`, '<p>&nbsp;%&nbsp;</p>', '&lt;%&gt;', '&quot;%&quot;',
  // Addresses
  'https://shop.example/a?id=12&v=%&n=3', 'https://shop.example/a?v=%', '/a?v=%#top', 'v=%&n=12',
  // Arrows
  'a->%', '%->b', '12 -> %', 'x=>%', '% => 12', '==>%', '1→%→2', '% ⇒ ok', '%⟶%', 'from % -> to %', '<-%', '-->%<--', '— %', 'so—%—then',
  // Markdown
  '| 12 | % | 3 |', '|%|12|', '[text](%)', '[%](https://a.example/12)', '**%**', '*%*', '`%`', '- [ ] %', '1. %', '> %', '~~%~~', '## %',
  // Logs
  'ts=2024-01-02T10:00:00Z value=% status=200', '[12] % - ok', 'level=info v="%" n=12', '2024-01-02 10:00:00,123 INFO v=% took=15ms', 'v:%;n:12', '12:00 %', 'user[12]: %',
  // Brackets, quotes and punctuation
  '(%)', '[%]', '{%}', '<%>', '"%"', "'%'", '“%”', '‘%’', '„%“', '「%」', '（%）', '【%】', '%.', '%,', '%;', '%:', '%!', '%?', '%…', '%。', '%、', '(see %)', '%\n', '%\r\n12', '\n%', ' %', '%/%', '% / 12', '% & %', '=%', '#1: %',
]

/** Lines with a word that marks the value. */
const LABELS: Readonly<Partial<Record<PiiKind, readonly string[]>>> = {
  phone: [
    'Phone: %', 'phone %', 'Tel. %', 'Tel.: %', 'tel:%', '"phone":"%"', '"phone_number": "%"', '{"phoneNumber":"%"}', 'phone=%', 'mobile_no=%', 'user.mobile: %', 'call me at %.', 'Telefon: %', 'Handy %', 'Rufnummer %', 'Téléphone : %', 'tél. %', 'Teléfono: %', 'Móvil %',
    '电话%', '电话：%', '手机号码是%。', '请拨打%联系我们', '電話番号：%', '携帯は%です', '전화번호 %', '전화번호: %', '연락처는 %입니다', '<phone>%</phone>', '<a href="tel:%">', '| Phone | % |', "SET phone='%'", "WHERE mobile = '%'", 'fax %, please', 'WhatsApp %', '?phone=%&n=2', 'contact_phone: %', 'Tel %',
  ],
  ssn: ['SSN: %', 'ssn=%', '"ssn":"%"', 'social security number %', "ssn='%'", '<ssn>%</ssn>', 'My SSN is %.', '| SSN | % |', '社会安全号码：%', 'ssn->%'],
}

/** Column names before the values of a row. */
const COLUMNS = ['name,phone\nAnn,%', 'id,name,phone,city\n7,Ann,%,Rome', "INSERT INTO users (name, phone) VALUES ('Ann', '%');", "INSERT INTO users (name, mobile, age) VALUES ('Ann','%',42)", 'name;Telefon\nAnn;%', 'name\ttel\nAnn\t%']
const COLUMN_VALUES = ['NNNNNN####', '030#######', '138########', '06########', '+4930#######', 'NNN-NNN-####']

const SEPARATORS = ['\u00A0', '\u202F', '\u2009', '\u2007', '\u2010', '\u2011', '\u2013', '.', '/', '_', '  ', ' - ', '\n', '-\n', '\u3000', '\u200B', '\u00B7', '\u2212', ' \u200B', '\u2060']

/** Creates lines with personal data of every kind in every context. */
export function generatePositives(seed: number): readonly LabelledLine[] {
  const random = createRandomSource(seed)
  const lines: string[] = []
  for (const kind of PII_KINDS) {
    const mark = (value: string): string => `«${kind}:${value}»`
    const strong = (): string => mark(strongValue(kind, random))
    for (const context of CONTEXTS) lines.push(place(context, strong), place(context, strong))
    for (const context of LABELS[kind] ?? []) lines.push(place(context, strong), place(context, () => mark(weakValue(kind, random))))
    for (let count = 0; count < 25; count++) {
      const value = strongValue(kind, random)
      const context = random.pick(CONTEXTS)
      lines.push(
        place(random.pick(['https://a.example/?v=%&n=12', 'v=%', '/find?q=%']), () => mark(encodeURIComponent(value))),
        place(context, () => mark(wide(value))),
        place(context, () => mark(hidden(value, random))),
        place(random.pick(['%', '请用%好', 'a: %']), () => mark(Array.from(value, character => (/[@.:+]/.test(character) ? `&#${character.codePointAt(0)};` : character)).join(''))),
      )
    }
  }
  for (const separator of SEPARATORS) {
    const separators = [separator]
    for (const context of ['Use % now', "(12,'%',3)", '请用%谢谢', '"%"', 'v=%', '12,%,13']) {
      lines.push(place(context, () => `«card:${card(random, separators)}»`), place(context, () => `«iban:${iban(random, separators)}»`))
      if (!/[\n/_\u200B\u2060]| - | {2}/.test(separator)) lines.push(place(context, () => `«phone:${random.fill('+49 171 ### ####').replaceAll(' ', separator)}»`), place(context, () => `«phone:${random.fill('NNN NNN ####').replaceAll(' ', separator)}»`))
    }
  }
  for (const context of COLUMNS) for (const value of COLUMN_VALUES) lines.push(place(context, () => `«phone:${random.fill(value)}»`))
  return lines.map(parseLine)
}

function place(context: string, value: () => string): string {
  return context.replaceAll('%', value).replaceAll('\u0001', '%')
}

/** Writes ASCII characters as full-width characters. */
function wide(value: string): string {
  return value.replaceAll(/[!-~]/g, character => String.fromCodePoint(character.charCodeAt(0) + 0xfe_e0)).replaceAll(' ', '\u3000')
}

/** Puts an invisible character somewhere into the value. */
function hidden(value: string, random: RandomSource): string {
  const at = random.int(1, value.length - 1)
  return value.slice(0, at) + random.pick(['\u200B', '\u200D', '\u2060', '\uFEFF', '\u00AD']) + value.slice(at)
}
