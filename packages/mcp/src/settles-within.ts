/** Whether `event` has settled before `ms` milliseconds are over. */
export async function settlesWithin(event: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), ms)
  try {
    return await Promise.race([event.then(() => true as const), late])
  } finally {
    clearTimeout(timer)
  }
}
