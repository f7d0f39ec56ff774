import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Facts } from './facts.ts'

const HEADER = Buffer.from('SQLite format 3\0')

/** Whether the bytes are those of a SQLite file. */
export function isDatabase(bytes: Buffer): boolean {
  return bytes.subarray(0, HEADER.length).equals(HEADER)
}

/** Returns the rows of each table of a SQLite file. Its bytes also depend on how the rows got there. */
export function databaseFacts(place: string, path: string): Facts {
  // A copy, because reading a database whose writer was killed repairs it.
  const folder = mkdtempSync(join(tmpdir(), 'parley-crash-db-'))
  try {
    const copy = join(folder, 'copy')
    for (const suffix of ['', '-wal', '-journal']) if (existsSync(path + suffix)) cpSync(path + suffix, copy + suffix)
    // Loaded here, because Node.js 22 warns about this module when it is loaded.
    const sqlite = process.getBuiltinModule('node:sqlite')
    const database = new sqlite.DatabaseSync(copy)
    try {
      return rowsOf(database, place)
    } finally {
      database.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function rowsOf(database: DatabaseSync, place: string): Facts {
  const facts: Record<string, number> = {}
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
  for (const { name } of tables) {
    const table = String(name)
    facts[`${place} ${table}\ttable`] = 1
    for (const row of database.prepare(`SELECT * FROM "${table.replaceAll('"', '""')}"`).all()) {
      const fact = `${place} ${table}\t${JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}`
      facts[fact] = (facts[fact] ?? 0) + 1
    }
  }
  return facts
}
