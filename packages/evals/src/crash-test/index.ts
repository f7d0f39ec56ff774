export { crashTest, type CrashProgress, type CrashTestOptions } from './crash-test.ts'
export type { CrashReport, CrashVerdict, RunFault, ShownBy, ToolReport } from './crash-report.ts'
export { ledger, type LedgerOptions } from './ledger.ts'
export { runCrashWorker, type CrashWorkerOptions } from './worker/run-crash-worker.ts'
