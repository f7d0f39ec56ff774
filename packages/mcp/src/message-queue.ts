/** Hands on messages one after the other. */
export interface MessageQueue {
  push(message: object): void
  /** Resolves when everything pushed so far has been handed on. */
  drained(): Promise<void>
}

/**
 * The SDK calls the listeners of a notification later, but settles a request at once: a result that came in one chunk
 * with the last progress before it would overtake that progress, which is then lost. So a notification gets its turn
 * of the event loop before the next message is handed on.
 */
export function createMessageQueue(deliver: (message: object) => void): MessageQueue {
  const waiting: object[] = []
  let idle: Promise<void> = Promise.resolve()
  let busy = false

  async function pump(): Promise<void> {
    for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
      deliver(message)
      if (!('id' in message)) await new Promise(resolve => setImmediate(resolve))
    }
    busy = false
  }

  return {
    push(message) {
      waiting.push(message)
      if (busy) return
      busy = true
      idle = pump()
    },
    drained: () => idle,
  }
}
