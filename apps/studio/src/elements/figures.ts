/** A stretch of time for people: `840 ms`, `12.4 s`, `3 min 05 s`, `2 h 10 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${String(minutes % 60).padStart(2, '0')} min` : `${Math.floor(hours / 24)} days`
}

/** An amount of US dollars: two digits, or three significant ones below a dollar. */
export function dollars(usd: number | undefined): string {
  if (usd === undefined) return '–'
  if (usd === 0) return '$0'
  return usd >= 1 ? `$${usd.toFixed(2)}` : `$${usd.toPrecision(usd < 0.0001 ? 1 : 3)}`
}

/** A number of tokens: `812`, `12.4k`, `3.2M`. */
export function tokens(count: number): string {
  if (count < 1000) return String(count)
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`
}

/** How long ago: `now`, `5 min ago`, `3 h ago`, `2 d ago`. */
export function ago(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000))
  if (seconds < 5) return 'now'
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`
  return `${Math.floor(seconds / 86_400)} d ago`
}

/** The end of an id, which tells ids of the same time apart. */
export function shortId(id: string): string {
  return id.length > 12 ? id.slice(-8) : id
}
