import type { Reporter } from 'vitest/node'
import { secondsOf, type FileTimes } from './file-times.ts'

export interface ProgressReporterOptions {
  /** How long each file took in the last run, from which the remaining time is estimated. */
  readonly times: FileTimes
  /** Receives the times of this run when it ends. */
  readonly keepTimes: (times: FileTimes) => void
  /** Whether the run ends with a list of its ten slowest files. @default false */
  readonly slow?: boolean | undefined
  /** Whether the output is a terminal, where the progress is one line that changes. @default whether standard output is one */
  readonly isTerminal?: boolean | undefined
  /** @default standard output */
  readonly write?: ((text: string) => void) | undefined
}

/** Milliseconds between two lines of a log, and between two changes of the line of a terminal. */
const INTERVAL_MS = { log: 30_000, terminal: 1_000 }
/** A share of the work below which an estimate of the rest is a guess. */
const LEAST_SHARE = 0.05

interface File {
  readonly name: string
  readonly startedAt: number
}

/** Prints one line about the run: how many files have ended, how many tests have failed, and how long the rest will take. */
export function createProgressReporter({
  times,
  keepTimes,
  slow = false,
  isTerminal = process.stdout.isTTY,
  write = text => process.stdout.write(text),
}: ProgressReporterOptions): Reporter {
  const running = new Map<string, File>()
  const seconds = new Map<string, number>()
  let names: readonly string[] = []
  let failed = 0
  let startedAt = 0
  let timer: NodeJS.Timeout | undefined

  function print(): void {
    const elapsed = secondsSince(startedAt)
    const files = `${seconds.size} of ${names.length} files`
    const line = `${files}, ${failed} failed, ${minutes(elapsed)}${remaining(elapsed)}${running.size === 0 ? '' : `: ${longest()}`}`
    if (isTerminal) write(`${CLEAR}${line.slice(0, (process.stdout.columns || 80) - 1)}`)
    else write(`${line}\n`)
  }

  function remaining(elapsed: number): string {
    const sum = (all: Iterable<string>): number => [...all].reduce((total, name) => total + secondsOf(times, name), 0)
    let done = sum(seconds.keys())
    for (const { name, startedAt: at } of running.values()) done += Math.min(secondsSince(at), secondsOf(times, name))
    const share = done / sum(names)
    return share < LEAST_SHARE ? '' : `, about ${minutes((elapsed * (1 - share)) / share)} left`
  }

  function longest(): string {
    const [file] = [...running.values()].toSorted((a, b) => a.startedAt - b.startedAt)
    return file === undefined ? '' : `${file.name} (${minutes(secondsSince(file.startedAt))})`
  }

  return {
    onTestRunStart: specifications => {
      running.clear()
      seconds.clear()
      failed = 0
      names = specifications.map(({ moduleId, project }) => moduleId.replace(`${project.config.root}/`, ''))
      startedAt = performance.now()
      timer = setInterval(print, isTerminal ? INTERVAL_MS.terminal : INTERVAL_MS.log).unref()
    },
    onTestModuleStart: ({ id, relativeModuleId }) => {
      running.set(id, { name: relativeModuleId, startedAt: performance.now() })
    },
    onTestCaseResult: testCase => {
      if (testCase.result().state !== 'failed') return
      failed += 1
      write(`${isTerminal ? CLEAR : ''}failed: ${testCase.module.relativeModuleId} > ${testCase.fullName}\n`)
    },
    onTestModuleEnd: ({ id, relativeModuleId }) => {
      const file = running.get(id)
      running.delete(id)
      if (file !== undefined) seconds.set(relativeModuleId, secondsSince(file.startedAt))
    },
    onTestRunEnd: () => {
      clearInterval(timer)
      if (isTerminal) write(CLEAR)
      keepTimes(Object.fromEntries(seconds))
      if (!slow) return
      const slowest = [...seconds].toSorted(([, a], [, b]) => b - a).slice(0, 10)
      write(`Slowest files:\n${slowest.map(([name, time]) => `  ${minutes(time)}  ${name}\n`).join('')}`)
    },
  }
}

/** Deletes the line of a terminal. */
const CLEAR = '\r\u001B[2K'

function secondsSince(at: number): number {
  return (performance.now() - at) / 1000
}

/** Returns a duration as people read it, for example `40 s` or `3 min 20 s`. */
export function minutes(duration: number): string {
  const whole = Math.round(duration)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
