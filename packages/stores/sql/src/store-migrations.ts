import type { Migration } from 'kysely/migration'
import { journal } from './migrations/journal.ts'

/** Every schema ever released, oldest first by name. A released one never changes; a new one goes below. */
export const storeMigrations: Readonly<Record<string, Migration>> = {
  '0001-journal': journal,
}
