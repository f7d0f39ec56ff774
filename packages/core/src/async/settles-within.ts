import { systemClock, type Clock } from './clock.ts'

/**
 * Resolves to `true` if `work` is fulfilled or rejected within `ms` milliseconds, otherwise to `false`. Never rejects,
 * and handles the rejection of `work`.
 */
export function settlesWithin(work: Promise<unknown>, ms: number, clock: Clock = systemClock): Promise<boolean> {
  return new Promise(resolve => {
    const cancelTimer = clock.after(ms, () => resolve(false))
    const settle = (): void => {
      cancelTimer()
      resolve(true)
    }
    work.then(settle, settle)
  })
}
