import type { Clock } from '@parley/core'

/** Whether `work` settles, either way, before `ms` have passed. Never rejects, and neither does `work` go unheard. */
export function settlesWithin(clock: Clock, ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise(resolve => {
    const callOff = clock.after(ms, () => resolve(false))
    const settle = (): void => {
      callOff()
      resolve(true)
    }
    work.then(settle, settle)
  })
}
