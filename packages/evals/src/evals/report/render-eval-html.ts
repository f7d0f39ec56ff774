import type { CaseResult, CaseStatus, EvalResult, TrialResult } from '../run/eval-result.ts'
import type { EvalComparison, ScorerComparison, Verdict } from '../statistics/compare-results.ts'
import { html, type Html } from './html.ts'
import { STYLES } from './styles.ts'

/** A result, and how it differs from an earlier one. */
export interface ReportedEval {
  readonly result: EvalResult
  readonly comparison?: EvalComparison | undefined
}

/** Renders results as one HTML file without scripts. Cases that did not pass come first, and the first few are open. */
export function renderEvalHtml(evals: readonly ReportedEval[]): string {
  const title = `Evals: ${evals.map(({ result }) => result.name).join(', ')}`
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${STYLES}
        </style>
      </head>
      <body>
        ${evals.map(sectionOf)}
      </body>
    </html> `
  return page.text
}

const WORDS: Readonly<Record<CaseStatus, string>> = {
  passed: 'passed',
  failed: 'failed',
  error: 'error',
  'not-run': 'not run',
}

const COLORS: Readonly<Record<CaseStatus, string>> = { passed: 'good', failed: 'bad', error: 'warn', 'not-run': 'soft' }

/** How many cases are open. */
const OPEN = 4

const ORDER: readonly CaseStatus[] = ['failed', 'error', 'not-run', 'passed']

function sectionOf({ result, comparison }: ReportedEval): Html {
  const { name, cases, trials, costUsd, startedAt, endedAt, stopped } = result
  const count = (status: CaseStatus): number => cases.filter(each => each.status === status).length
  const sorted = cases.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status))
  return html`<section class="eval">
    <header>
      <h1>${name}</h1>
      <span class="soft"
        >${versionWords(result)} · ${new Date(startedAt).toISOString().replace('T', ' ').slice(0, 16)} UTC</span
      >
    </header>
    <div class="tiles">
      ${ORDER.toReversed()
        .filter(status => status === 'passed' || count(status) > 0)
        .map(status => tile(String(count(status)), WORDS[status], COLORS[status]))}
      ${tile(`${cases.length}`, trials === 1 ? 'cases' : `cases, ${trials} trials each`)}
      ${tile(dollars(costUsd), 'cost')} ${tile(duration(endedAt - startedAt), 'time')}
    </div>
    ${stopped === undefined ? undefined : html`<p class="warn">Stopped early: ${stopped}.</p>`}
    <h2>Scores</h2>
    ${scoresOf(result)} ${comparison === undefined ? undefined : comparisonOf(comparison)}
    <h2>Cases</h2>
    ${sorted.map((each, index) => caseOf(each, result, index < OPEN))}
  </section>`
}

function tile(value: string, words: string, color = ''): Html {
  return html`<div class="tile"><b class="${color}">${value}</b><span>${words}</span></div> `
}

function scoresOf({ scorers, cases }: EvalResult): Html {
  const rows = scorers.map(({ name, threshold }) => {
    const scores = cases.flatMap(each => each.scores[name] ?? [])
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
    const below = scores.filter(score => score < threshold - 1e-9).length
    const shown =
      scores.length === 0
        ? html`<td class="soft" colspan="2">no scores</td>`
        : html`<td>${bar(mean, mean >= threshold)}</td>
            <td class="number">${mean.toFixed(2)}</td>`
    return html`<tr>
      <td>${name}</td>
      ${shown}
      <td class="number soft">${threshold}</td>
      <td class="number ${below > 0 ? 'bad' : 'soft'}">${below}</td>
    </tr> `
  })
  return html`<table>
    <thead>
      <tr>
        <th>scorer</th>
        <th></th>
        <th class="number">mean</th>
        <th class="number">threshold</th>
        <th class="number">cases below</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`
}

const VERDICTS: Readonly<Record<Verdict, readonly [words: string, color: string]>> = {
  better: ['better', 'good'],
  worse: ['worse', 'bad'],
  noise: ['noise', 'soft'],
  'too-few': ['too few cases to tell', 'soft'],
}

function comparisonOf({ base, scorers, unpaired }: EvalComparison): Html {
  return html`<h2>Compared with ${versionWords(base)}</h2>
    <table>
      <thead>
        <tr>
          <th>scorer</th>
          <th class="number">before</th>
          <th class="number">now</th>
          <th class="number">difference, 95 % interval</th>
          <th class="number">p</th>
          <th class="number">cases</th>
          <th></th>
        </tr>
      </thead>
      <tbody>
        ${scorers.map(comparisonRow)}
      </tbody>
    </table>
    ${unpaired.length === 0 ? undefined : html`<p class="soft">Not compared, because only one of the results has them: ${unpaired.join(', ')}.</p>`}`
}

function comparisonRow({
  name,
  base,
  candidate,
  difference,
  interval,
  adjustedP,
  cases,
  unpaired,
  verdict,
}: ScorerComparison): Html {
  const [words, color] = VERDICTS[verdict]
  const isSame = interval[0] === 0 && interval[1] === 0
  const range = isSame ? '0' : `${signed(difference)} [${signed(interval[0])}, ${signed(interval[1])}]`
  const left = unpaired.length === 0 ? '' : ` (${unpaired.length} not paired)`
  return html`<tr>
    <td>${name}</td>
    <td class="number">${base.toFixed(2)}</td>
    <td class="number">${candidate.toFixed(2)}</td>
    <td class="number">${range}</td>
    <td class="number">${adjustedP.toFixed(3)}</td>
    <td class="number">${cases}${left}</td>
    <td class="${isSame ? 'soft' : color}">${isSame ? 'no difference' : words}</td>
  </tr> `
}

function caseOf(each: CaseResult, { scorers }: EvalResult, isAmongFirst: boolean): Html {
  const { id, status, input, expected, trials, scores } = each
  // The scores that decide come first: the farthest below its threshold.
  const margin = ({ name, threshold }: EvalResult['scorers'][number]): number => (scores[name] ?? 0) - threshold
  const means = scorers
    .toSorted((a, b) => margin(a) - margin(b))
    .flatMap(({ name }) => (scores[name] === undefined ? [] : [`${name} ${scores[name].toFixed(2)}`]))
  const isOpen = isAmongFirst && (status === 'failed' || status === 'error')
  return html`<details class="case" ${isOpen ? html` open` : undefined}>
    <summary>
      <span class="badge ${COLORS[status]}">${WORDS[status]}</span><span class="id">${id}</span
      ><span class="cut">${show(input)}</span
      ><span class="soft number"
        >${means.slice(0, 2).join(' · ')}${means.length > 2 ? ` · +${means.length - 2}` : ''}</span
      >
    </summary>
    <div class="body">
      <dl>
        <dt>input</dt>
        <dd><pre>${show(input)}</pre></dd>
        ${
          expected === undefined
            ? undefined
            : html`<dt>expected</dt>
                <dd><pre>${show(expected)}</pre></dd>`
        }
      </dl>
      ${trials.map(trial => trialOf(trial, scorers))}
    </div>
  </details> `
}

function trialOf(
  { trial, runId, output, error, durationMs, costUsd, scores }: TrialResult,
  scorers: EvalResult['scorers'],
): Html {
  const result =
    error === undefined
      ? html`<dt>output</dt>
          <dd><pre>${show(output)}</pre></dd>`
      : html`<dt>error</dt>
          <dd><pre class="warn">${error}</pre></dd>`
  const rows = scores.map(({ name, score, reason, error: fault }) => {
    const { threshold = 1 } = scorers.find(each => each.name === name) ?? {}
    const value =
      score === undefined
        ? html`<span class="warn">${fault}</span>`
        : html`${bar(score, score >= threshold - 1e-9)} ${score.toFixed(2)} <span class="soft">${reason}</span>`
    return html`<dt>${name}</dt>
      <dd>${value}</dd>`
  })
  const cost = costUsd === undefined || costUsd === 0 ? '' : ` · ${dollars(costUsd)}`
  return html`<div class="trial">
    <dl>
      ${result}${rows}
      <dt>trial ${trial}</dt>
      <dd class="soft">${duration(durationMs)}${cost} · run <code>${runId}</code></dd>
    </dl>
  </div> `
}

function bar(score: number, isGood: boolean): Html {
  return html`<span class="bar${isGood ? '' : ' low'}"><i style="width:${Math.round(score * 100)}%"></i></span>`
}

function versionWords({ version: { commit, dirty = false } }: Pick<EvalResult, 'version'>): string {
  if (commit === undefined) return 'no commit'
  return `${commit.slice(0, 10)}${dirty ? ' with changes' : ''}`
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 1)
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`
}

function dollars(usd: number): string {
  return usd === 0 || usd >= 1 ? `$${usd.toFixed(2)}` : `$${Number(usd.toPrecision(2))}`
}

function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  return ms < 120_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`
}
