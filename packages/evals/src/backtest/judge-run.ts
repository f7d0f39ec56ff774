import type { BacktestedRun, BacktestVerdict } from './backtest-report.ts'
import type { RunSummary } from './recorded-run.ts'

/** Compares two ends of a run without a scorer. */
export function compareEnds(before: RunSummary, after: RunSummary): BacktestVerdict {
  const [was, is] = [before, after].map(({ status }) => status === 'completed')
  if (was !== is) return is === true ? 'better' : 'worse'
  if (was !== true) return before.status === after.status ? 'same' : 'different'
  const isSame =
    before.text.trim() === after.text.trim() && JSON.stringify(before.output) === JSON.stringify(after.output)
  return isSame ? 'same' : 'different'
}

/** Finds the first model call whose answer differs. */
export function firstDifference(before: RunSummary, after: RunSummary): BacktestedRun['firstDifference'] {
  const length = Math.max(before.answers.length, after.answers.length)
  for (let index = 0; index < length; index++) {
    const [one, other] = [before.answers[index], after.answers[index]]
    if (one !== other) return { turn: index + 1, before: one, after: other }
  }
  return undefined
}
