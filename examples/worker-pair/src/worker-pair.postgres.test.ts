import { randomUUID } from 'node:crypto'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgresStore } from '@parley/postgres'
import { Client } from 'pg'
import { expect, inject, it } from 'vitest'

it('a second worker completes the run of a worker that was killed, and does not pay again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-pair-'))
  const ledger = join(folder, 'ledger.txt')
  const schema = `pair_${randomUUID().slice(0, 8)}`
  const place = { DATABASE_URL: inject('postgresUrl'), DATABASE_SCHEMA: schema, LEASE_MS: '500', LEDGER: ledger }
  const start = (environment: Record<string, string>, ...words: string[]): ChildProcess => {
    const args = ['--conditions=@parley/source', join(import.meta.dirname, 'worker.ts'), ...words]
    const env = { ...process.env, ...place, ...environment }
    return spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  }

  const first = start({ SLOW_MAIL: '1' }, 'Pay A-7 and tell Ann.')
  await once(first.stdout ?? first, 'data')
  first.kill('SIGKILL')
  const second = start({})
  const store = await openPostgresStore({ url: place.DATABASE_URL, schema })
  await expect.poll(async () => (await store.run('run-of-the-pair'))?.status).toBe('completed')
  expect(readFileSync(ledger, 'utf8')).toBe('A-7\n')

  second.kill('SIGTERM')
  expect(await once(second, 'exit')).toEqual([0, null])
  rmSync(folder, { recursive: true })
  await store[Symbol.asyncDispose]()
  const client = new Client({ connectionString: place.DATABASE_URL })
  await client.connect()
  await client.query(`drop schema ${schema} cascade`)
  await client.end()
})
