/** A way to put in a word while an agent runs. */
export interface Steering {
  /** Queues a user message. It joins before the next model call; after the last one it is not read. */
  send(message: string): void
  /** Takes everything queued, oldest first. */
  drain(): readonly string[]
}

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
