import { beforeEach, expect, it, vi } from 'vitest'
import type { Reporter } from 'vitest/node'
import { createProgressReporter } from './create-progress-reporter.ts'

type Argument<Name extends keyof Reporter> = Parameters<NonNullable<Reporter[Name]>>[0]

let lines: string[]
let reporter: Reporter

beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  reporter = createProgressReporter({ write: line => lines.push(line), intervalMs: 10_000 })
})

function start(...names: readonly string[]): void {
  void reporter.onTestRunStart?.(names.map(name => ({ name })) as unknown as Argument<'onTestRunStart'>)
}

function open(name: string): void {
  void reporter.onTestModuleStart?.({ id: name, relativeModuleId: name } as Argument<'onTestModuleStart'>)
}

function test(state: 'passed' | 'failed'): void {
  void reporter.onTestCaseResult?.({ result: () => ({ state }) } as Argument<'onTestCaseResult'>)
}

function close(name: string): void {
  void reporter.onTestModuleEnd?.({ id: name, relativeModuleId: name } as Argument<'onTestModuleEnd'>)
}

function end(): void {
  void reporter.onTestRunEnd?.([], [], 'passed')
}

it('the progress reporter prints one line for each interval, with the files that run longer than it', () => {
  start('slow', 'quick', 'last')
  open('slow')
  open('quick')
  test('passed')
  test('failed')
  vi.advanceTimersByTime(2_000)
  close('quick')
  vi.advanceTimersByTime(8_000)
  vi.advanceTimersByTime(10_000)
  expect(lines).toEqual([
    '10 s: 1 of 3 files, 2 tests, 1 failed',
    '20 s: 1 of 3 files, 2 tests, 1 failed; still running: slow (20 s)',
  ])
})

it('the progress reporter ends a long run with its slowest files, slowest first', () => {
  start('a', 'b')
  open('a')
  vi.advanceTimersByTime(3_000)
  close('a')
  open('b')
  vi.advanceTimersByTime(8_000)
  close('b')
  lines = []
  end()
  expect(lines).toEqual(['11 s: 2 of 2 files, 0 tests', 'Slowest files: b (8 s), a (3 s)'])
})

it('the progress reporter prints nothing about a short run, and nothing after the end of a run', () => {
  start('a')
  open('a')
  close('a')
  end()
  vi.advanceTimersByTime(60_000)
  expect(lines).toEqual([])
})
