import { execFile } from 'node:child_process'
import { appendFile, mkdtemp, chmod, rm, stat, chown, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort } from '@parley-tooling/test-run/free-port'
import { loadPostgres } from './load-postgres.ts'
import type { PostgresServer } from './start-postgres.ts'

export interface PostgresStandby extends AsyncDisposable {
  readonly url: string
  /** Promotes the standby to primary. Resolves when it accepts writes. */
  promote(): Promise<void>
}

/** Starts a synchronous replica: from now on the server acknowledges a write only after the replica has it. */
export async function startStandby(primary: PostgresServer): Promise<PostgresStandby> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-standby-'))
  await chmod(folder, 0o755)
  const databaseDir = join(folder, 'data')
  const admin = new Client({ connectionString: primary.url })
  await admin.connect()
  await copyData(admin, primary, databaseDir)
  const port = await freePort()
  const log: string[] = []
  const Postgres = await loadPostgres()
  const readable = Promise.withResolvers<void>()
  const server = new Postgres({
    databaseDir,
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=200', '-c', 'unix_socket_directories='],
    onLog: message => {
      log.push(message)
      if (message.includes('ready to accept read-only connections')) readable.resolve()
    },
    onError: message => log.push(String(message)),
  })
  // Resolves when the server accepts writes.
  const primaryNow = server.start()
  primaryNow.catch(() => readable.reject(new Error(`the standby did not start:\n${log.slice(-20).join('')}`)))
  await readable.promise
  await replicateSynchronously(admin)
  await admin.end()
  const url = new URL(primary.url)
  url.port = String(port)
  return {
    url: url.href,
    promote: async () => {
      const client = new Client({ connectionString: url.href })
      await client.connect()
      await client.query('select pg_promote()')
      await client.end()
      await primaryNow
    },
    [Symbol.asyncDispose]: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Copies the data of a running server. Does the work of `pg_basebackup`, which is missing from the installed binaries.
 */
async function copyData(admin: Client, { url, databaseDir }: PostgresServer, to: string): Promise<void> {
  await admin.query(`select pg_backup_start('standby', true)`)
  await promisify(execFile)('cp', ['-a', databaseDir, to])
  const { rows } = await admin.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
  const { hostname, port, username, password } = new URL(url)
  const source = `host=${hostname} port=${port} user=${username} password=${password}`
  await rm(join(to, 'postmaster.pid'))
  await appendFile(join(to, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  const { uid, gid } = await stat(to)
  for (const [name, text] of [
    ['backup_label', rows[0]?.labelfile ?? ''],
    ['standby.signal', ''],
  ] as const) {
    await writeFile(join(to, name), text)
    await chown(join(to, name), uid, gid)
  }
}

async function replicateSynchronously(admin: Client): Promise<void> {
  await admin.query(`alter system set synchronous_standby_names = '*'`)
  await admin.query('select pg_reload_conf()')
  for (;;) {
    const { rows } = await admin.query(`select 1 from pg_stat_replication where sync_state = 'sync'`)
    if (rows.length > 0) return
    await sleep(20)
  }
}
