export { createSqlStore, type Attempt, type SqlStoreOptions } from './create-sql-store.ts'
export { addCounts, toQuotaRow } from './journal/add-counts.ts'
export { journalQueries, type RunAdvance } from './journal/journal-queries.ts'
export { planAppend, toAdvance, type AppendPlan } from './journal/plan-append.ts'
export { addFacts } from './journal/add-facts.ts'
export {
  countWordQuery,
  listRunsQuery,
  planList,
  wordsToCount,
  type CountedWord,
  type ListShape,
  type ListValues,
} from './journal/list-runs-query.ts'
export { toRunRecord } from './journal/run-rows.ts'
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
  RunUsageRow,
  RunWordRow,
  StoreTables,
  TextType,
  WorkerRow,
  WorkflowRow,
} from './tables/store-tables.ts'
