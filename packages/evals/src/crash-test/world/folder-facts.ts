import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { KEYED } from '../ledger.ts'
import { databaseFacts, isDatabase } from './database-facts.ts'
import type { Facts } from './facts.ts'

/** A larger file counts as one fact: its digest. */
const LARGE = 256 * 1024

/** What programs leave beside a file while they write it. A killed process leaves it behind, and no one reads it. */
const TEMPORARY = /(?:^|[._~-])(?:te?mp|swp|partial)(?:[._~-]|$)|~$|-(?:wal|shm|journal)$/i

/** Returns the contents of a folder: the lines of its text files, and the rows of its SQLite files. */
export function folderFacts(folder: string): Facts {
  const facts: Record<string, number> = {}
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    const place = relative(folder, path)
    if (TEMPORARY.test(entry.name)) continue
    if (entry.isFile()) addFile(facts, place, path)
    else facts[`${place}\t${entry.isDirectory() ? 'folder' : 'link'}`] = 1
  }
  return facts
}

/** Returns the lines of a ledger, in which a line with a key counts once. A missing file has none. */
export function ledgerFacts(path: string): Facts {
  const facts: Record<string, number> = {}
  if (!existsSync(path)) return facts
  addLines(facts, 'ledger', readFileSync(path, 'utf8'))
  for (const fact of Object.keys(facts)) if (fact.startsWith(`ledger\t${KEYED}`)) facts[fact] = 1
  return facts
}

function addFile(facts: Record<string, number>, place: string, path: string): void {
  // Another program may remove the file at this moment.
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined) return
  const bytes = readFileSync(path)
  if (isDatabase(bytes)) Object.assign(facts, databaseFacts(place, path))
  else if (size > LARGE || bytes.includes(0)) facts[`${place}\t${createHash('sha256').update(bytes).digest('hex')}`] = 1
  else addLines(facts, place, bytes.toString('utf8'))
}

function addLines(facts: Record<string, number>, place: string, text: string): void {
  facts[`${place}\tfile`] = 1
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const fact = `${place}\t${line}`
    facts[fact] = (facts[fact] ?? 0) + 1
  }
}
