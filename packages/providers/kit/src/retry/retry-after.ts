/**
 * The wait a failed response asks for, in milliseconds: `retry-after-ms`, then `retry-after` (seconds or a date), then
 * `x-ratelimit-reset` when that is a point in time. Zero, the past and nonsense count as absent.
 */
export function retryAfterOf(headers: Pick<Headers, 'get'>, now: number): number | undefined {
  const wait = headers.get('retry-after')
  const date = wait === null ? NaN : Date.parse(wait)
  return (
    positive(headers.get('retry-after-ms')) ??
    positive(wait, 1000) ??
    positive(date - now) ??
    untilReset(positive(headers.get('x-ratelimit-reset')), now)
  )
}

function positive(value: string | number | null, unit = 1): number | undefined {
  const amount = value === null ? NaN : Number(value) * unit
  return amount > 0 && Number.isFinite(amount) ? amount : undefined
}

// Elsewhere the header counts seconds to go, or is a duration: read as a point in time, those are long past.
function untilReset(reset: number | undefined, now: number): number | undefined {
  if (reset === undefined) return undefined
  return positive((reset < 1e12 ? reset * 1000 : reset) - now)
}
