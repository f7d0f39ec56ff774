const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Describes a time in the past, for example `3 minutes ago`. */
export function ageOf(at: number, now: number): string {
  const seconds = Math.floor((now - at) / 1_000)
  if (seconds < 1) return 'just now'
  for (const [unit, size] of UNITS) {
    const count = Math.floor(seconds / size)
    if (count > 0) return `${count} ${unit}${count === 1 ? '' : 's'} ago`
  }
  return 'just now'
}
