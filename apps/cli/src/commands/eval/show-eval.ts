import type { CaseResult, EvalResult, ReportedEval, ScorerComparison, TrialResult, Verdict } from '@parley/evals'
import { oneLine } from '../../render/one-line.ts'
import { printable } from '../../render/printable.ts'
import type { Style, Terminal } from '../../render/terminal.ts'

/** Prints the scores of an eval, the cases that did not pass, and how the scores differ from earlier ones. */
export function showEval({ result, comparison }: ReportedEval, terminal: Terminal): void {
  const { name, cases, scorers, trials, stopped, costUsd, startedAt, endedAt } = result
  const { style } = terminal
  const each = trials === 1 ? '' : ` × ${trials} trials`
  const seconds = ((endedAt - startedAt) / 1000).toFixed(1)
  terminal.out(
    `${style('bold', name)}  ${cases.length} cases${each}  ${counts(result, terminal)}  ${style('dim', `$${costUsd.toFixed(2)}  ${seconds} s`)}\n`,
  )
  const width = Math.max(...scorers.map(scorer => scorer.name.length))
  for (const { name: scorer, threshold } of scorers) {
    const scores = cases.flatMap(({ scores: given }) => given[scorer] ?? [])
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
    const below = scores.filter(score => score < threshold - 1e-9).length
    const words = below === 0 ? '' : style('red', `  ${below} below ${threshold}`)
    terminal.out(`  ${scorer.padEnd(width)}  ${scores.length === 0 ? '   –' : mean.toFixed(2)}${words}\n`)
  }
  for (const each of cases) if (each.status === 'failed' || each.status === 'error') showCase(each, result, terminal)
  if (stopped !== undefined) terminal.out(`  ${style('yellow', `stopped early: ${stopped}`)}\n`)
  if (comparison === undefined) return
  const { base, unpaired } = comparison
  terminal.out(
    `  compared with ${base.version.commit?.slice(0, 10) ?? 'the file'}${base.version.dirty === true ? ' with changes' : ''}:\n`,
  )
  for (const scorer of comparison.scorers) terminal.out(`    ${comparisonLine(scorer, width, terminal)}\n`)
  if (unpaired.length > 0) terminal.out(style('dim', `    not compared: ${unpaired.join(', ')}\n`))
}

const COLORS: Readonly<Record<CaseResult['status'], Style>> = {
  passed: 'green',
  failed: 'red',
  error: 'yellow',
  'not-run': 'dim',
}

const WORDS: Readonly<Record<CaseResult['status'], (count: number) => string>> = {
  passed: count => `${count} passed`,
  failed: count => `${count} failed`,
  error: count => `${count} not scored`,
  'not-run': count => `${count} not run`,
}

function counts({ cases }: EvalResult, { style }: Terminal): string {
  const statuses = Object.keys(WORDS) as (keyof typeof WORDS)[]
  return statuses
    .flatMap(status => {
      const count = cases.filter(each => each.status === status).length
      return count === 0 ? [] : [style(COLORS[status], WORDS[status](count))]
    })
    .join(', ')
}

function showCase({ id, status, trials }: CaseResult, { scorers }: EvalResult, terminal: Terminal): void {
  const { style, columns = 160 } = terminal
  terminal.out(`  ${style(COLORS[status], status === 'error' ? '!' : '✗')} ${style('bold', printable(id, terminal))}\n`)
  const faults = new Map<string, number>()
  for (const trial of trials) for (const line of faultsOf(trial, scorers)) faults.set(line, (faults.get(line) ?? 0) + 1)
  for (const [line, count] of faults) {
    const times = trials.length === 1 ? '' : `  (${count} of ${trials.length} trials)`
    terminal.out(`    ${oneLine(line, Math.max(20, columns - 5 - times.length))}${style('dim', times)}\n`)
  }
  const first = trials.find(trial => faultsOf(trial, scorers).length > 0)
  if (first !== undefined) terminal.out(style('dim', `    run ${first.runId}\n`))
}

function faultsOf({ error, scores }: TrialResult, scorers: EvalResult['scorers']): readonly string[] {
  if (error !== undefined) return [error]
  return scores.flatMap(({ name, score = 0, reason = '', error: fault }) => {
    const { threshold = 1 } = scorers.find(each => each.name === name) ?? {}
    if (fault !== undefined) return [`${name}: ${fault}`]
    return score >= threshold - 1e-9 ? [] : [`${name} ${score.toFixed(2)}  ${reason}`.trimEnd()]
  })
}

const VERDICTS: Readonly<Record<Verdict, readonly [words: string, style: Style]>> = {
  better: ['better', 'green'],
  worse: ['worse', 'red'],
  noise: ['noise', 'dim'],
  'too-few': ['too few cases to tell', 'dim'],
}

function comparisonLine(scorer: ScorerComparison, width: number, { style }: Terminal): string {
  const { name, base, candidate, difference, interval, adjustedP, cases, unpaired, verdict } = scorer
  const [words, color] = VERDICTS[verdict]
  const left = unpaired.length === 0 ? '' : `, ${unpaired.length} not paired`
  const scores = `${name.padEnd(width)}  ${base.toFixed(2)} → ${candidate.toFixed(2)}`
  if (interval[0] === 0 && interval[1] === 0)
    return `${scores}  ${style('dim', `no difference, ${cases} cases${left}`)}`
  const range = `${signed(difference)} [${signed(interval[0])}, ${signed(interval[1])}]`
  return `${scores}  ${range}  ${style(color, words)}  ${style('dim', `p ${adjustedP.toFixed(3)}, ${cases} cases${left}`)}`
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`
}
