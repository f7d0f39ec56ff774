/** Limits how many calls of the same name run concurrently. */
export interface ConcurrencyLimits {
  /**
   * Runs `work`. If `most` calls with this name are running, waits until one of them ends. @param most `undefined` for
   * no limit.
   */
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
        // The next in line takes over the slot, so a new caller cannot get in first.
        const next = place.waiting.shift()
        if (next === undefined) place.running -= 1
        else next()
      }
    },
  }
}
