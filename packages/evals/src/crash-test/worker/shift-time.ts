/**
 * Makes the machine's time later for the tools of this process: a key made from the time must not look stable because a
 * crash test resumes at once. The runtime has its own clock and does not notice it.
 */
export function shiftTime(laterMs: number): void {
  if (laterMs === 0) return
  const Machine = globalThis.Date
  const now = (): number => Machine.now() + laterMs
  globalThis.Date = new Proxy(Machine, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as object,
    apply: () => new Machine(now()).toString(),
    get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
  })
}
