export { createSqlStore, type Attempt, type SqlStoreOptions } from './create-sql-store.ts'
export { addCounts, toQuotaRow } from './journal/add-counts.ts'
export { journalQueries, type RunAdvance } from './journal/journal-queries.ts'
export { planAppend, type AppendPlan } from './journal/plan-append.ts'
export { listRunsQuery, toRunRecord } from './journal/run-rows.ts'
export type { InboxSignals } from './parts/create-inbox-watch.ts'
export { migrateStore, needsMigration, type MigrationOptions } from './tables/migrate-store.ts'
export type {
  AppendRow,
  ArtifactRow,
  DeadLetterRow,
  InboxRow,
  NoteRow,
  NoteWordRow,
  QuotaTotalRow,
  RunRow,
  StoreTables,
  TextType,
  WorkerRow,
  WorkflowRow,
} from './tables/store-tables.ts'
