export {
  createRecordedResults,
  type RecordedResults,
  type ResultLookup,
  type ResultMiss,
} from './create-recorded-results.ts'
export { loadRunHistory, type HistoryRun, type RunHistory } from './load-run-history.ts'
export type { RecordedResult } from './recorded-result.ts'
export { withRecordedResult, type RecordedResultOptions } from './with-recorded-result.ts'
