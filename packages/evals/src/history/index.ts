export { createRecordedResults, type RecordedResults, type ResultMiss } from './create-recorded-results.ts'
export { loadRunHistory, type RunHistory } from './load-run-history.ts'
export { withRecordedResult } from './with-recorded-result.ts'
