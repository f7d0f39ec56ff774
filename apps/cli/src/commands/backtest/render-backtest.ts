import type { BacktestedRun, BacktestReport, BacktestTotals } from '@parley/evals/backtest'

/** Runs that the terminal shows one by one. A page and JSON have all. */
const SHOWN = 10

/** Renders a report for a terminal: the counts, what the runs cost, and where the first runs part. */
export function renderBacktest(report: BacktestReport): string {
  const { runs, skipped, before, after } = report
  const changed = runs.filter(({ verdict }) => verdict !== 'same')
  const parts = [summaryOf(report), totalsOf(before, after)]
  for (const run of changed.slice(0, SHOWN)) parts.push(describe(run))
  if (changed.length > SHOWN) parts.push(`… and ${changed.length - SHOWN} more: --json or --html FILE has all.`)
  if (skipped.length > 0) parts.push(skipped.map(({ runId, reason }) => `skipped ${runId}: ${reason}`).join('\n'))
  return `${parts.join('\n\n')}\n`
}

function summaryOf({ runs, counts, skipped }: BacktestReport): string {
  const named = Object.entries(counts).map(([verdict, count]) => `${count} ${verdict}`)
  const left = skipped.length === 0 ? '' : ` · ${skipped.length} skipped`
  return `${runs.length} runs: ${named.join(' · ')}${left}`
}

function totalsOf(before: BacktestTotals, after: BacktestTotals): string {
  const cost = (usd: number | undefined): string => (usd === undefined ? 'unknown' : `$${usd.toFixed(4)}`)
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
  return [
    'Of the runs that did not diverge:',
    `  cost         ${cost(before.costUsd)} → ${cost(after.costUsd)}`,
    `  model time   ${seconds(before.modelMs)} → ${seconds(after.modelMs)}`,
    `  model calls  ${before.modelCalls} → ${after.modelCalls}`,
  ].join('\n')
}

function describe({
  runId,
  input,
  verdict,
  before,
  after,
  divergence,
  firstDifference,
  scores,
}: BacktestedRun): string {
  const lines = [`${verdict}  ${runId}  ${short(input)}`]
  if (scores !== undefined) lines.push(`  score ${scores.before} → ${scores.after}`)
  if (divergence !== undefined)
    lines.push(`  ${divergence.reason}: ${divergence.tool}(${short(JSON.stringify(divergence.input))}).`)
  if (firstDifference !== undefined) {
    lines.push(`  The answer of model call ${firstDifference.turn} differs:`)
    lines.push(
      `  - ${short(firstDifference.before ?? 'no answer')}`,
      `  + ${short(firstDifference.after ?? 'no answer')}`,
    )
  }
  const isFinal = divergence === undefined && before.answers.length > (firstDifference?.turn ?? 0)
  if (isFinal && before.text !== after.text)
    lines.push('  The final answer differs:', `  - ${short(before.text)}`, `  + ${short(after.text)}`)
  if (before.status !== after.status && divergence === undefined) lines.push(`  ${before.status} → ${after.status}`)
  return lines.join('\n')
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}

/** Renders a report as a web page without scripts. */
export function renderBacktestPage(report: BacktestReport): string {
  const rows = report.runs.map(({ runId, verdict, input, before, after, divergence }) => {
    const reason =
      divergence === undefined ? '' : `${divergence.reason}: ${divergence.tool}(${JSON.stringify(divergence.input)})`
    const cells = [runId, verdict, input, before.text, divergence === undefined ? after.text : reason]
    return `<tr class="${verdict}">${cells.map(cell => `<td>${escape(cell)}</td>`).join('')}</tr>`
  })
  const skipped = report.skipped.map(({ runId, reason }) => `<li>${escape(`${runId}: ${reason}`)}</li>`)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Backtest</title>
<style>
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem; color-scheme: light dark }
table { border-collapse: collapse } td, th { border: 1px solid #8886; padding: .3rem .6rem; text-align: left; vertical-align: top }
.worse td:nth-child(2), .diverged td:nth-child(2) { color: #c33 } .better td:nth-child(2) { color: #283 }
</style>
<h1>Backtest</h1>
<p>${escape(summaryOf(report))}</p>
<pre>${escape(totalsOf(report.before, report.after))}</pre>
<table><thead><tr><th>run</th><th>verdict</th><th>input</th><th>before</th><th>after</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table>
${skipped.length === 0 ? '' : `<h2>Skipped</h2><ul>${skipped.join('')}</ul>`}
</html>
`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
