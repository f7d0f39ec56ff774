import type { Reporter } from 'vitest/node'

export interface ProgressReporterOptions {
  /** @default standard output */
  readonly write?: ((line: string) => void) | undefined
  /** Milliseconds between two lines. @default 15000 */
  readonly intervalMs?: number | undefined
}

/** The part of a test file that the reporter reads. */
interface File {
  readonly relativeModuleId: string
  readonly startedAt: number
}

/** Prints how many test files and tests have ended, which files are slow, and which ones run now. */
export function createProgressReporter(options: ProgressReporterOptions = {}): Reporter {
  const { write = line => process.stdout.write(`${line}\n`), intervalMs = 15_000 } = options
  const running = new Map<string, File>()
  const ended: { readonly name: string; readonly ms: number }[] = []
  let total = 0
  let tests = 0
  let failed = 0
  let startedAt = 0
  let timer: NodeJS.Timeout | undefined

  function print(): void {
    const now = performance.now()
    const counts = `${ended.length} of ${total} files, ${tests} tests${failed > 0 ? `, ${failed} failed` : ''}`
    const slow = [...running.values()]
      .map(file => ({ name: file.relativeModuleId, ms: now - file.startedAt }))
      .filter(({ ms }) => ms > intervalMs)
    const now_ = slow.length > 0 ? `; still running: ${list(slow)}` : ''
    write(`${seconds(now - startedAt)}: ${counts}${now_}`)
  }

  return {
    onTestRunStart: specifications => {
      running.clear()
      ended.length = 0
      total = specifications.length
      tests = 0
      failed = 0
      startedAt = performance.now()
      timer = setInterval(print, intervalMs).unref()
    },
    onTestModuleStart: ({ id, relativeModuleId }) => {
      running.set(id, { relativeModuleId, startedAt: performance.now() })
    },
    onTestCaseResult: testCase => {
      tests += 1
      if (testCase.result().state === 'failed') failed += 1
    },
    onTestModuleEnd: ({ id, relativeModuleId }) => {
      const file = running.get(id)
      running.delete(id)
      ended.push({ name: relativeModuleId, ms: performance.now() - (file?.startedAt ?? performance.now()) })
    },
    onTestRunEnd: () => {
      clearInterval(timer)
      // A short run has its result in one screen.
      if (performance.now() - startedAt < intervalMs) return
      print()
      write(`Slowest files: ${list(ended.toSorted((a, b) => b.ms - a.ms).slice(0, 5))}`)
    },
  }
}

function list(files: readonly { readonly name: string; readonly ms: number }[]): string {
  return files.map(({ name, ms }) => `${name} (${seconds(ms)})`).join(', ')
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`
}
