/** Delivers messages one after the other. */
export interface MessageQueue {
  /** Adds a message. @returns Whether messages still wait for delivery. */
  push(message: object): boolean
  /** Resolves when all messages so far are delivered. */
  drained(): Promise<void>
}

/**
 * Creates a queue that delivers a request or response in a new turn of the event loop after a notification. The SDK calls the
 * listeners of a notification later but settles a request at once. If the last progress and the result arrive in one chunk,
 * the result would overtake the progress, and the progress would be lost.
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
