import { fillRandom } from './fill-random.ts'

/** Character codes of the hexadecimal digits. */
const DIGITS = Array.from('0123456789abcdef', digit => digit.charCodeAt(0))

/** Character codes of the last id. They are kept, because most of them are the same in the next id. */
const codes: number[] = Array.from('00000000-0000-7000-0000-000000000000', digit => digit.charCodeAt(0))

/** The most bytes that one id takes. */
const BYTES = 18
/** Unused random bytes. A call for many bytes takes as long as a call for a few (bench: tricks random-stock). */
const stock = new Uint8Array(1_024)
let used = stock.length

let lastMs = 0
let sequence = 0

/**
 * Creates a UUIDv7 (RFC 9562). Ids sort by time, and within one process by order of creation.
 * @param now Milliseconds since the epoch.
 */
export function createId(now: number): string {
  if (used > stock.length - BYTES) {
    fillRandom(stock)
    used = 0
  }
  if (now > lastMs) {
    // The top bit of the sequence starts at 0, so that many ids within one millisecond can count up.
    sequence = ((takeByte() << 8) | takeByte()) & 0x7ff
    setTime(now)
  } else if (++sequence > 0xfff) {
    sequence = 0
    setTime(lastMs + 1)
  }
  setDigits(15, 18, sequence)
  // The digit at 19 contains the variant. At 23 is a hyphen.
  codes[19] = DIGITS[8 | (takeByte() & 3)] as number
  for (let at = 20; at < 36; at++) if (at !== 23) codes[at] = DIGITS[takeByte() & 15] as number
  // One flat string: V8 keeps a concatenated string as a tree of its parts, in every waiting run (bench: tricks flat-id).
  return String.fromCharCode(...codes)
}

function setTime(ms: number): void {
  lastMs = ms
  setDigits(9, 13, ms % 0x10000)
  setDigits(0, 8, Math.floor(ms / 0x10000))
}

/** Writes a number as hexadecimal digits to the positions from `from` up to, not including, `to`. */
function setDigits(from: number, to: number, value: number): void {
  for (let at = to - 1, rest = value; at >= from; at--, rest = Math.floor(rest / 16))
    codes[at] = DIGITS[rest % 16] as number
}

function takeByte(): number {
  return stock[used++] as number
}
