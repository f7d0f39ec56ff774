export type { EvalCase, EvalData } from './evals/data/eval-case.ts'
export { readCsv, type CsvRow } from './evals/data/read-csv.ts'
export { readJsonl } from './evals/data/read-jsonl.ts'
export { readPinnedRuns } from './evals/data/read-pinned-runs.ts'
export type { FileOptions } from './evals/data/read-records.ts'
export { agentTask, type AgentTaskOptions } from './evals/define/agent-task.ts'
export { defineEval, isEval, type Eval, type EvalDefinition } from './evals/define/define-eval.ts'
export type { Task, TaskContext } from './evals/define/task.ts'
export { calibrateJudge, type Calibration, type LabelledAnswer } from './evals/judge/calibrate-judge.ts'
export type { Agreement } from './evals/judge/cohens-kappa.ts'
export { judge, type JudgeOptions } from './evals/judge/judge.ts'
export { pairwise, type PairwiseOptions } from './evals/judge/pairwise.ts'
export { renderEvalHtml, type ReportedEval } from './evals/report/render-eval-html.ts'
export { renderEvalJunit } from './evals/report/render-eval-junit.ts'
export type {
  CaseResult,
  CaseStatus,
  EvalResult,
  EvalVersion,
  ScoreResult,
  TrialResult,
} from './evals/run/eval-result.ts'
export { runEval } from './evals/run/run-eval.ts'
export type { EvalProgress, RunEvalOptions } from './evals/run/run-options.ts'
export { calledTool, calledTools, type CalledToolsOptions } from './evals/scorers/called-tools.ts'
export { contains, type ContainsOptions } from './evals/scorers/contains.ts'
export { exact } from './evals/scorers/exact.ts'
export { matches } from './evals/scorers/matches.ts'
export { matchesSchema } from './evals/scorers/matches-schema.ts'
export { numeric, type NumericOptions } from './evals/scorers/numeric.ts'
export type { Sample, SampleRun, ScorerContext } from './evals/scorers/sample.ts'
export {
  defineScorer,
  type Scorer,
  type ScorerDefinition,
  type ScorerOptions,
  type ScoreValue,
} from './evals/scorers/scorer.ts'
export { similarity, type SimilarityOptions } from './evals/scorers/similarity.ts'
export { withinCost, withinTime } from './evals/scorers/within.ts'
export {
  compareResults,
  type CompareOptions,
  type EvalComparison,
  type ScorerComparison,
  type Verdict,
} from './evals/statistics/compare-results.ts'
export type { PairComparison } from './evals/statistics/compare-pairs.ts'
export type { MadeCall } from './trajectory/made-call.ts'
export type { CallMatch, WantedCall } from './trajectory/match-calls.ts'
