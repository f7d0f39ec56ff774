import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@parley-tooling/test-run/free-port'
import { loadPostgres, type EmbeddedPostgres } from './load-postgres.ts'

/** A locale that does not order text by code points. */
const LOCALE = ['--locale-provider=icu', '--icu-locale=en-US']

export interface PostgresServer extends AsyncDisposable {
  readonly url: string
  /** Directory of the server's data. */
  readonly databaseDir: string
  /** Kills the server. */
  kill(): void
  /** Starts the server again with the same data. */
  restart(): Promise<void>
}

export interface PostgresServerOptions {
  /** Whether a commit reaches the disk, as in production. @default false: the tests kill processes, but simulate no power failure */
  readonly fsync?: boolean
}

/** Starts a real PostgreSQL server with its own data and port. Disposing it removes the data. */
export async function startPostgres({ fsync = false }: PostgresServerOptions = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-postgres-'))
  // The server does not run as root and needs access to its data.
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
    // Tests open thousands of connections. The default of 4,096 iterations costs each of them milliseconds of computing.
    initdbFlags: [...LOCALE, '--encoding=UTF8', '--no-sync', '--set=scram_iterations=1'],
    postgresFlags: [
      ...(fsync ? [] : ['fsync=off', 'full_page_writes=off']),
      'max_connections=200',
      'unix_socket_directories=',
    ].flatMap(flag => ['-c', flag]),
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
      // `stop` waits for the end of the process, even if the process has already ended.
      if (running) await server.stop()
      // Child processes of a killed server may write for a moment.
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/**
 * Starts the server, and tries again after a failure: child processes of a killed server may keep its shared memory for
 * a moment.
 */
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
