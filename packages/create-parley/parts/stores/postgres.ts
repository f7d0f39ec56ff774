import type { Store } from '@parley/core'
import { openPostgresStore } from '@parley/postgres'

/** Keeps runs in the database at `DATABASE_URL`, which any number of workers may share. */
export function openStore(): Promise<Store> {
  const url = process.env['DATABASE_URL']
  if (url === undefined) throw new Error('DATABASE_URL is missing: copy .env.example to .env and set it')
  return openPostgresStore({ url })
}
