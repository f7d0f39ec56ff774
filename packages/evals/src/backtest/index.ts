export { backtest, type BacktestOptions } from './backtest.ts'
export type { BacktestChange } from './backtest-change.ts'
export type {
  BacktestedRun,
  BacktestReport,
  BacktestTotals,
  BacktestVerdict,
  Divergence,
  SkippedRun,
} from './backtest-report.ts'
export type { RecordedRun, RunSummary } from './recorded-run.ts'
