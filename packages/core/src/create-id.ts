const ZERO = 48
const TEN = 87

/** Character codes of the last id. They are kept, because most of them are the same in the next id. */
const codes: number[] = Array.from('00000000-0000-7000-0000-000000000000', digit => digit.charCodeAt(0))

/** Positions of the random digits. The digit at 19 contains the variant. */
const RANDOM = [20, 21, 22, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35]

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
  if (now > lastMs) {
    // The top bit of the sequence starts at 0, so that many ids within one millisecond can count up.
    sequence = ((takeByte() << 8) | takeByte()) & 0x7ff
    setTime(now)
  } else if (++sequence > 0xfff) {
    sequence = 0
    setTime(lastMs + 1)
  }
  setDigits(15, 18, sequence)
  codes[19] = digit(8 | (takeByte() & 3))
  for (const at of RANDOM) codes[at] = digit(takeByte() & 15)
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
  for (let at = to - 1, rest = value; at >= from; at--, rest = Math.floor(rest / 16)) codes[at] = digit(rest % 16)
}

function digit(value: number): number {
  return value < 10 ? ZERO + value : TEN + value
}

function takeByte(): number {
  if (used === stock.length) {
    crypto.getRandomValues(stock)
    used = 0
  }
  return stock[used++] ?? 0
}
