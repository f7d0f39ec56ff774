/** Calls a listener. An error that it throws is reported as uncaught and does not reach the caller. */
export function callListener(call: () => void): void {
  try {
    call()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
