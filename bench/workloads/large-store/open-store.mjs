import { openPostgresStore } from '@parley/postgres'
import { openSqliteStore } from '@parley/sqlite'

/** Opens the store with this number of runs. @param side `sqlite` or `postgres` */
export function openStore(side, { files, url, schemas }, runs) {
  return side === 'sqlite' ? openSqliteStore({ path: files[runs] }) : openPostgresStore({ url, schema: schemas[runs] })
}
