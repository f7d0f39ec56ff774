import type { Migration } from 'kysely/migration'
import { deadLetters } from './migrations/dead-letters.ts'
import { journal } from './migrations/journal.ts'
import { runParents } from './migrations/run-parents.ts'

/** Every schema ever released, oldest first by name. A released one never changes; a new one goes below. */
export const storeMigrations: Readonly<Record<string, Migration>> = {
  '0001-journal': journal,
  '0002-run-parents': runParents,
  '0003-dead-letters': deadLetters,
}
