import { parseLine, type LabelledLine } from './labelled-lines.ts'
import { card, iban, luhnDigit } from './personal-values.ts'
import { createRandomSource, type RandomSource } from './random-source.ts'

/** Lines with values that only look like personal data. `~` is a hexadecimal digit, and the other marks are those of `fill`. */
const PATTERNS: readonly string[] = [
  // Versions
  'v1.#.#.#', 'Version 2.#.##.#', 'version: "1.2.#.#"', '"version": "4.#.#.1"', 'pkg==1.#.#.#', 'npm i left-pad@1.#.#', 'app-1.2.#.#.jar', 'Chrome/12#.0.0.0 Safari/537.36', 'Upgraded from 3.#.1.2 to 3.#.1.4', 'build 10.#.1####.1', 'release 5.#.#.#-beta', '版本 3.#.#.#', 'バージョン2.#.#.1', '버전 1.#.#.2', 'libssl.so.1.1.#', 'firmware: 10.4.#.#', '<version>1.#.0.#</version>', 'Word 16.0.####.2####', 'AssemblyVersion("1.0.#.#")', 'file_version=6.1.7.#',
  // Hashes and ids
  '~~~~~~~~-~~~~-4~~~-8~~~-~~~~~~~~~~~~', 'id=########-####-4###-8###-############', 'sha1 ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~', 'md5:~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~', 'etag "~~~~~~~~~~~~~~~~"', 'commit ~~~~~~~', 'trace_id=~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~', '{"_id":"~~~~~~~~~~~~~~~~~~~~~~~~"}', 'aa:~~:~~:~~:~~:ff', '0x~~~~~~~~', 'arn:aws:iam::############:role/x', 'ulid 01H##########@@@@@@@@@@@@@@',
  // Order and invoice numbers
  'Order NNNNNN####', 'order_id=NNNNNN####', '"orderId": NNNNNN####', 'Invoice 2023-######', 'INV-0###-######', 'Rechnung Nr. 0######### vom Montag', 'Ticket #########', 'ticket #NNN-NNN-####', 'ref: 0###-######', 'customer 0#########', 'Bestellung 0171#######', 'facture n° 06########', '订单号：138########', '注文番号：0#########', '주문번호 0#########', 'SKU NNN-NNN-####', 'part NNN.NNN.####', 'batch ############', 'account 00########', 'PO-NNN-NNN-####', 'case-NNNNNN####', 'Transaction 9###############', 'Tracking 1Z999AA1##########',
  // Times and dates
  '2024-01-02T10:00:00.###Z', '2024-01-02 10:##:##', '01.02.2024 10:##', '01/02/2024 03:##', '2024#### 10####', '170#######', '170##########', '20240102103###', '02-01-2024 1030', '2024.01.02', '10:##:##.###', 'from 01-02-2023 to 03-04-2024', '2024年01月02日', 'Fri, 02 Jan 2024 10:##:## +0200', '[02/Jan/2024:10:##:## +0000]', 'Call on 2024-01-02', '02.01.24 10:00', '1999-2024', '2024-W05-3', 'P1Y2M10DT2H30M', 'uptime 12#:##:##',
  // Coordinates and numbers
  '52.######, 13.######', '+52.######,+13.######', '-33.######;151.######', '52°31\'12"N 13°24\'17"E', 'geo:37.######,-122.######', '{"lat":48.######,"lng":2.######}', '0.################', '3.141592653589793', '1.######e-##', '[0.####, 0.####, 0.####]', 'x=N#######.####', '±0.########', '1/3 = 0.3333333333333333',
  // Prices
  '$1,###,###.##', '1.###.###,## EUR', '1 ### ### EUR', '€ 12.###,##', '¥1#,###,###', 'CHF 1\'###\'###.00', '##,##%', 'Total: 1 ###,## €', '人民币12#,###.00元', '1,234,567,890 people', '100 200 300 400',
  // Books, goods and devices
  'ISBN 978-3-16-14841#-#', 'ISBN 97831614841##', 'ISBN-10: 0-306-4061#-2', 'ISBN 067978####', 'EAN 4006381333931', 'ISSN 2049-363#', 'DOI 10.1109/5.77107#', 'arXiv:2301.#####', 'IMEI 35391805#######', 'VIN 1HGCM82633A######', 'RFC 791#', 'UPC 0123456789##', 'GTIN: 0400638133####',
  // Code
  'const x = ##########;', 'arr[##########]', 'user@localhost', 'git@github.com:owner/repo.git', 'ssh://deploy@host.example.com/srv', 'https://user@example.org/path', 'Foo::Bar::baz()', 'std::vector<int>::iterator', '@Component({ id: ###### })', 'this@MainActivity.finish', 'icon@2x.png', 'sprite@3x.webp', 'def f(x_##########):', 'x = a @ b.T', '@media (min-width: ####px)', '#~~~~~~', '--port=####', '127.0.0.1:####', '0.0.0.0:####', 'localhost:####', '255.255.2##.0', 'a1b2c3d4e5', 'img_2024####_10####.jpg', 'DSC0####.JPG', 'chapter 3.2.1.4', '§ 1.2.3.4', '1.2.3', '300.#.2.3', 'lines 100-2##', 'pp. 1234-12##', 'matrix 4x4x4', 'port 80##, 90##', 'timeout=######ms', 'user_##########', 'ann@', '@ann', 'first..last@example', 'price 3 @ 5.99', 'range 900-55-####', 'part 000-12-####', '123-456', '12-34-56', '+## points', '+49', '+5 to +10 degrees', 'x +12 -34', '1-2-3-4-5', '10.0.0.0.1', 'OID 1.3.6.1.4.1.####', 'oid 1.3.6.1', 'score 21:19, 18:21, 21:17', 'ratio 16:9', 'A4 210 x 297 mm', 'H2O 18.015', '5 000 000 000', 'pi ~ 3.14159', 'Room 415, floor 2', 'bus 100, 200 and 300', 'Zimmer 0815', '第3.2.1.1章', '共有1234567人', '約12345678円', '약 12345678원', 'CVE-2024-#####', 'KB#######', 'TLS 1.2, HTTP/1.1', 'GPT-4 with 128000 tokens', 'seed 1234567890', 'pid ##### tid #####', 'Content-Length: ########', 'max-age=31536000', 'W/"##########"',
]

/** Frames that put a look-alike beside other text. */
const FRAMES = ['%', '%', 'See % here.', '"%"', '{"value":"%"}', '- %', 'note: %']

/** Creates lines without personal data: look-alikes of every kind. */
export function generateLookAlikes(seed: number): readonly LabelledLine[] {
  const random = createRandomSource(seed)
  const lines: string[] = []
  for (const pattern of PATTERNS) for (let count = 0; count < 2; count++) lines.push(framed(fill(pattern, random), random))
  for (let count = 0; count < 30; count++) {
    lines.push(framed(wrongCard(random, ['', ' ', '-']), random), framed(wrongIban(random, ['', ' ']), random))
  }
  return lines.map(parseLine)
}

function fill(pattern: string, random: RandomSource): string {
  // Words, single at signs and single hash signs before other marks are literal.
  const literal = pattern
    .replaceAll(/[A-Za-z]*[A-MO-Za-z][A-Za-z]*|(?<!@)@(?!@)/g, word => word.replaceAll('N', '\u0001').replaceAll('@', '\u0002'))
    .replaceAll(/#(?=[~N])/g, '\u0003')
  const filled = random.fill(literal).replaceAll('~', () => random.int(0, 15).toString(16))
  return filled.replaceAll('\u0001', 'N').replaceAll('\u0002', '@').replaceAll('\u0003', '#')
}

function framed(value: string, random: RandomSource): string {
  return random.pick(FRAMES).replaceAll('%', () => value)
}

/** Returns a card number with a wrong check digit. */
function wrongCard(random: RandomSource, separators: readonly string[]): string {
  const right = card(random, separators)
  const last = right.length - 1
  const digits = right.slice(0, last).replaceAll(/\D/g, '')
  return right.slice(0, last) + ((luhnDigit(digits) + random.int(1, 9)) % 10)
}

/** Returns an IBAN with wrong check digits. */
function wrongIban(random: RandomSource, separators: readonly string[]): string {
  const right = iban(random, separators)
  const check = Number(right.slice(2, 4))
  return right.slice(0, 2) + String(((check + random.int(1, 90)) % 97) + 1).padStart(2, '0') + right.slice(4)
}
