import type { CaseResult, EvalResult } from '../run/eval-result.ts'

/** Renders results as JUnit XML, which CI services show: a suite for each eval, a test for each case. */
export function renderEvalJunit(results: readonly EvalResult[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${results.map(suiteOf).join('')}</testsuites>\n`
}

function suiteOf({ name, cases, startedAt, endedAt }: EvalResult): string {
  const count = (status: CaseResult['status']): number => cases.filter(each => each.status === status).length
  const facts = {
    name,
    tests: cases.length,
    failures: count('failed'),
    errors: count('error'),
    skipped: count('not-run'),
    time: seconds(endedAt - startedAt),
    timestamp: new Date(startedAt).toISOString(),
  }
  return `  <testsuite${attributes(facts)}>\n${cases.map(each => testOf(name, each)).join('')}  </testsuite>\n`
}

function testOf(suite: string, { id, status, trials, scores }: CaseResult): string {
  const time = seconds(trials.reduce((sum, { durationMs }) => sum + durationMs, 0))
  const open = `    <testcase${attributes({ name: id, classname: suite, time })}`
  if (status === 'passed') return `${open}/>\n`
  if (status === 'not-run') return `${open}><skipped/></testcase>\n`
  const tag = status === 'failed' ? 'failure' : 'error'
  const means = Object.entries(scores).map(([name, score]) => `${name} ${score.toFixed(2)}`)
  const message = means.length === 0 ? 'not scored' : means.join(', ')
  const text = trials.flatMap(trial => linesOf(trial)).join('\n')
  return `${open}>\n      <${tag}${attributes({ message })}>${escape(text)}</${tag}>\n    </testcase>\n`
}

function linesOf({ trial, error, scores, output, runId }: CaseResult['trials'][number]): readonly string[] {
  const head = `trial ${trial}, run ${runId}`
  if (error !== undefined) return [`${head}: ${error}`]
  const lines = scores.map(each => `  ${each.name}: ${each.error ?? String(each.score)} ${each.reason ?? ''}`.trimEnd())
  return [head, ...lines, `  output: ${typeof output === 'string' ? output : JSON.stringify(output)}`]
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escape(String(value))}"`)
    .join('')
}

/** Escapes a text, and drops the characters that XML cannot contain. */
function escape(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- XML 1.0 forbids these characters even as references
      .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
      .replaceAll(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
  )
}
