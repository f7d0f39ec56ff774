import {
  compareResults,
  renderEvalHtml,
  renderEvalJunit,
  runEval,
  type Eval,
  type EvalProgress,
  type EvalResult,
  type ReportedEval,
} from '@parley/evals'
import { ParleyError } from '@parley/core'
import { createRuntime } from '@parley/engine'
import { openTracing } from '../../compose/open-tracing.ts'
import { isWorkerGone, thisWorker } from '../../compose/worker.ts'
import { explainFailure } from '../../render/explain-failure.ts'
import { createStatusLine } from '../../render/status-line.ts'
import type { Terminal } from '../../render/terminal.ts'
import { openStore } from '../../store/open-store.ts'
import type { EvalFlags } from './eval-flags.ts'
import { keepResult, readKeptResult, writeWhole } from './kept-results.ts'
import { findEvalFiles, loadEvals } from './load-evals.ts'
import { readCodeVersion } from './read-code-version.ts'
import { showEval } from './show-eval.ts'

/** Runs the evals of files, one after another. @returns The exit code. */
export async function runEvals(given: readonly string[], flags: EvalFlags, terminal: Terminal): Promise<number> {
  const files = findEvalFiles(given)
  const evals = await loadEvals(files)
  // A result that is missing should be known before anything is paid.
  const bases = new Map<string, EvalResult>()
  if (flags.compare !== undefined)
    for (const { name } of evals) bases.set(name, await readKeptResult(name, flags.compare))
  const version = await readCodeVersion(files)
  await using store = await openStore(flags.db)
  const tracing = await openTracing()
  await using runtime = createRuntime({
    store,
    worker: thisWorker,
    isWorkerGone,
    // A run that an error of the command leaves can be continued.
    onClose: 'suspend',
    resources: tracing === undefined ? [] : [tracing],
    defaults: tracing === undefined ? {} : { middleware: [tracing.middleware] },
    // Failures are part of the results.
    onUnreadFailure: () => {},
  })
  const reported: ReportedEval[] = []
  let spent = 0
  let refused = 0
  for (const each of evals) {
    const maxCost = least(each.maxCost, flags.maxCost === undefined ? undefined : Math.max(0, flags.maxCost - spent))
    const { filter, trials, concurrency, fresh } = flags
    const report = (result: EvalResult): ReportedEval => {
      const base = bases.get(each.name)
      return base === undefined ? { result } : { result, comparison: compareResults(base, result) }
    }
    const result = await withProgress(each, { terminal, isQuiet: flags.json === true }, onProgress =>
      runEval(each, {
        runtime,
        version,
        filter,
        trials,
        concurrency,
        fresh,
        maxCost,
        onProgress,
        // Part of the eval's last step: a crash before the files are written repeats this, and no case.
        onResult: async ended => {
          await keepResult(ended)
          await writeReports([...reported, report(ended)], flags)
        },
      }),
    ).catch((error: unknown) => {
      if (!isRefusedData(error)) throw error
      terminal.error(`parley: eval ${each.name}: ${explainFailure(error, { command: 'parley', place: '' })}\n`)
      refused += 1
    })
    if (result === undefined) continue
    spent += result.costUsd
    const last = report(result)
    reported.push(last)
    if (flags.json === true) terminal.out(`${JSON.stringify({ ...result, comparison: last.comparison })}\n`)
    else showEval(last, terminal)
  }
  return refused === 0 && reported.every(isGood) ? 0 : 1
}

/** Cases that cannot be read do not stop the other evals. */
function isRefusedData(error: unknown): error is ParleyError {
  return ParleyError.is(error) && ['config-invalid', 'file-unreadable', 'run-unknown'].includes(error.info.code)
}

function isGood({ result, comparison }: ReportedEval): boolean {
  return result.passed && (comparison?.scorers.every(({ verdict }) => verdict !== 'worse') ?? true)
}

async function writeReports(reported: readonly ReportedEval[], { html, junit }: EvalFlags): Promise<void> {
  if (html !== undefined) await writeWhole(html, renderEvalHtml(reported))
  if (junit !== undefined) await writeWhole(junit, renderEvalJunit(reported.map(({ result }) => result)))
}

interface ProgressOptions {
  readonly terminal: Terminal
  readonly isQuiet: boolean
}

/** Shows how far an eval is in a line below the output, in a terminal. */
async function withProgress(
  { name }: Eval,
  { terminal, isQuiet }: ProgressOptions,
  work: (onProgress: (progress: EvalProgress) => void) => Promise<EvalResult>,
): Promise<EvalResult> {
  let last: EvalProgress | undefined
  let failed = 0
  let isContinued = false
  const line = isQuiet || terminal.isPlain ? undefined : createStatusLine(terminal)
  const describe = (): string => {
    const { done = 0, total = 0, costUsd = 0 } = last ?? {}
    return `${name}  ${done} of ${total}${failed === 0 ? '' : `, ${failed} not passed`}  $${costUsd.toFixed(2)}`
  }
  line?.show(describe)
  try {
    return await work(progress => {
      last = progress
      if (progress.ended !== undefined && progress.ended.status !== 'passed') failed += 1
      if (progress.resumed === 0 || isContinued || isQuiet) return
      isContinued = true
      line?.hide()
      terminal.out(`${name}: continues an eval that was interrupted\n`)
      line?.show(describe)
    })
  } finally {
    line?.hide()
  }
}

function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
}
