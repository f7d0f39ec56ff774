import { systemClock, type Clock } from './clock.ts'

/** Resolves to whether `work` settles, either way, before `ms` milliseconds have passed. Never rejects and handles `work`'s rejection. */
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
