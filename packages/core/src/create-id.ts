let lastMs = 0
let sequence = 0

/**
 * A UUIDv7 (RFC 9562): sorts by time, and by order of creation within one process.
 * @param now Milliseconds since the epoch.
 */
export function createId(now: number): string {
  const random = crypto.randomUUID()
  if (now > lastMs) {
    lastMs = now
    // The top bit stays free, so that a burst within one millisecond has room to count up.
    sequence = Number.parseInt(random.slice(0, 3), 16) >> 1
  } else if (++sequence > 0xfff) {
    lastMs += 1
    sequence = 0
  }
  const time = lastMs.toString(16).padStart(12, '0')
  const counter = sequence.toString(16).padStart(3, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}${random.slice(18)}`
}
