/** Lets at most so many pieces of work run at once, per name. */
export interface ConcurrencyLimits {
  /** @param most Undefined for any number. */
  run<TResult>(name: string, most: number | undefined, work: () => Promise<TResult>): Promise<TResult>
}

export function createConcurrencyLimits(): ConcurrencyLimits {
  const places = new Map<string, { running: number; readonly waiting: (() => void)[] }>()
  return {
    async run(name, most, work) {
      if (most === undefined) return await work()
      const place = places.get(name) ?? { running: 0, waiting: [] }
      places.set(name, place)
      if (place.running >= most) await new Promise<void>(resolve => place.waiting.push(resolve))
      else place.running += 1
      try {
        return await work()
      } finally {
        // Whoever waits takes the place over; it is never free in between.
        const next = place.waiting.shift()
        if (next === undefined) place.running -= 1
        else next()
      }
    },
  }
}
