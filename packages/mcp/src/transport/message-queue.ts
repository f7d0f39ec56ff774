/** Hands on messages one after the other. */
export interface MessageQueue {
  /** @returns Whether some of what was pushed so far still has to be handed on. */
  push(message: object): boolean
  /** Resolves when everything pushed so far has been handed on. */
  drained(): Promise<void>
}

/**
 * The SDK calls the listeners of a notification later, but settles a request at once: a result that came in one chunk
 * with the last progress before it would overtake that progress, which is then lost. So what answers or asks gets a turn
 * of the event loop of its own after notifications; they themselves need not wait for each other.
 */
export function createMessageQueue(deliver: (message: object) => void): MessageQueue {
  const waiting: object[] = []
  let idle: Promise<void> = Promise.resolve()
  let busy = false
  let notified = false

  async function pump(): Promise<void> {
    for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
      const notifies = !('id' in message)
      if (notified && !notifies) await new Promise(resolve => setImmediate(resolve))
      notified = notifies
      deliver(message)
    }
    busy = false
  }

  return {
    push(message) {
      waiting.push(message)
      if (!busy) {
        busy = true
        idle = pump()
      }
      return busy
    },
    drained: () => idle,
  }
}
