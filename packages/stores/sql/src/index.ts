export type { InboxSignals } from './create-inbox-watch.ts'
export { createSqlStore, type SqlStoreOptions } from './create-sql-store.ts'
export { journalQueries, type RunAdvance } from './journal-queries.ts'
export { listRunsQuery } from './list-runs-query.ts'
export { migrateStore, needsMigration, type MigrationOptions } from './migrate-store.ts'
export { planAppend, type AppendPlan } from './plan-append.ts'
export type {
  AppendRow,
  ArtifactRow,
  DeadLetterRow,
  InboxRow,
  NoteRow,
  NoteWordRow,
  RunRow,
  StoreTables,
  WorkerRow,
  WorkflowRow,
} from './store-tables.ts'
export { toRunRecord } from './to-run-record.ts'
export type { TextType } from './text-type.ts'
