import { ParleyError } from '@parley/core'
import type { Database } from 'better-sqlite3'

/** Largest file in bytes that is checked completely when it is opened. The check takes some milliseconds. */
const CHECK_LIMIT = 8_000_000

/**
 * Checks a file for damage, and for data of another program. If a file is above the limit, only the pages with the
 * schema are checked. Damage in other pages is found when they are read.
 * @throws ParleyError `store-corrupt`, or `store-unavailable` for the database of another program.
 */
export function checkDatabase(database: Database, { name }: { readonly name: string }): void {
  const tables = database.prepare<[], string>("select name from sqlite_master where type = 'table'").pluck().all()
  if (tables.length > 0 && !tables.includes('parley_migration')) {
    const detail = `it is the database of another program (it has the tables ${tables.join(', ')}). Give another path.`
    throw new ParleyError({ code: 'store-unavailable', store: name, detail })
  }
  const bytes = database.prepare<[], number>('select page_count * page_size from pragma_page_count, pragma_page_size')
  if ((bytes.pluck().get() ?? 0) > CHECK_LIMIT) return
  const finding = database.pragma('quick_check(1)', { simple: true })
  if (finding !== 'ok') throw new ParleyError({ code: 'store-corrupt', store: name, detail: `${String(finding)}.` })
}
