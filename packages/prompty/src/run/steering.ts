/** Sends user messages to a running agent. */
export interface Steering {
  /** Queues a user message for the next model call. After the last model call it is not read. */
  send(message: string): void
  /** Removes and returns all queued messages, oldest first. */
  drain(): readonly string[]
}

/** Creates an empty queue. */
export function createSteering(): Steering {
  let queue: string[] = []
  return {
    send: message => void queue.push(message),
    drain() {
      const taken = queue
      queue = []
      return taken
    },
  }
}
