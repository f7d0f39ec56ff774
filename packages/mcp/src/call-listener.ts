/** Calls a listener. What it throws is its own failure: it is reported as uncaught, and does not disturb the caller. */
export function callListener(call: () => void): void {
  try {
    call()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
