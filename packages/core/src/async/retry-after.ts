/**
 * Returns the wait that a failed response asks for, in milliseconds: `retry-after-ms`, else `retry-after` (seconds or a
 * date), else `x-ratelimit-reset` if it is a point in time. `undefined` for zero, times in the past and invalid values.
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

// Some servers send the remaining seconds or a duration here. Read as a point in time, both lie in the past and are ignored.
function untilReset(reset: number | undefined, now: number): number | undefined {
  if (reset === undefined) return undefined
  return positive((reset < 1e12 ? reset * 1000 : reset) - now)
}
