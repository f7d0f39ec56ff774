import { beforeEach, expect, it, vi } from 'vitest'
import type { Reporter } from 'vitest/node'
import { createProgressReporter, minutes, type ProgressReporterOptions } from './create-progress-reporter.ts'
import type { FileTimes } from './file-times.ts'

type Argument<Name extends keyof Reporter> = Parameters<NonNullable<Reporter[Name]>>[0]

let output: string[]
let kept: FileTimes
let reporter: Reporter

beforeEach(() => {
  vi.useFakeTimers()
  open({})
})

function open(options: Partial<ProgressReporterOptions>): void {
  output = []
  kept = {}
  const keepTimes = (times: FileTimes): void => {
    kept = times
  }
  reporter = createProgressReporter({
    times: {},
    keepTimes,
    isTerminal: false,
    write: text => output.push(text),
    ...options,
  })
}

function start(...names: readonly string[]): void {
  const project = { config: { root: '/root' } }
  const specifications = names.map(name => ({ moduleId: `/root/${name}`, project }))
  void reporter.onTestRunStart?.(specifications as unknown as Argument<'onTestRunStart'>)
}

function begin(name: string): void {
  void reporter.onTestModuleStart?.({ id: name, relativeModuleId: name } as Argument<'onTestModuleStart'>)
}

function test(state: 'passed' | 'failed', fullName = 'a test'): void {
  const testCase = { result: () => ({ state }), fullName, module: { relativeModuleId: 'quick' } }
  void reporter.onTestCaseResult?.(testCase as Argument<'onTestCaseResult'>)
}

function finish(name: string): void {
  void reporter.onTestModuleEnd?.({ id: name, relativeModuleId: name } as Argument<'onTestModuleEnd'>)
}

function end(): void {
  void reporter.onTestRunEnd?.([], [], 'passed')
}

it('the progress reporter prints files, failures, the time left and the longest running file', () => {
  open({ times: { slow: 90, quick: 10, last: 20 } })
  start('slow', 'quick', 'last')
  begin('slow')
  begin('quick')
  test('passed')
  test('failed', 'the store > rejects a stale append')
  vi.advanceTimersByTime(10_000)
  finish('quick')
  vi.advanceTimersByTime(20_000)
  // 10 s of the quick file and 30 s of the slow one are done, 60 s + 20 s are left.
  expect(output).toEqual([
    'failed: quick > the store > rejects a stale append\n',
    '1 of 3 files, 1 failed, 30 s, about 1 min 0 s left: slow (30 s)\n',
  ])
})

it('the progress reporter does not guess the time left before a part of the work is done', () => {
  open({ times: { slow: 9_000 } })
  start('slow')
  begin('slow')
  vi.advanceTimersByTime(30_000)
  expect(output).toEqual(['0 of 1 files, 0 failed, 30 s: slow (30 s)\n'])
})

it('the progress reporter changes one line of a terminal, and deletes it before a failure and at the end', () => {
  open({ isTerminal: true, times: { a: 100 } })
  start('a')
  begin('a')
  vi.advanceTimersByTime(1_000)
  test('failed')
  finish('a')
  end()
  vi.advanceTimersByTime(60_000)
  expect(output).toEqual([
    '\r\u001B[2K0 of 1 files, 0 failed, 1 s: a (1 s)',
    '\r\u001B[2Kfailed: quick > a test\n',
    '\r\u001B[2K',
  ])
})

it('the progress reporter keeps the time of each file for the next run', () => {
  start('a', 'b')
  begin('a')
  vi.advanceTimersByTime(3_000)
  finish('a')
  begin('b')
  vi.advanceTimersByTime(8_000)
  finish('b')
  end()
  expect(kept).toEqual({ a: 3, b: 8 })
})

it('the progress reporter lists the ten slowest files when it is asked to', () => {
  open({ slow: true })
  start('a', 'b')
  begin('a')
  vi.advanceTimersByTime(3_000)
  finish('a')
  begin('b')
  vi.advanceTimersByTime(80_000)
  finish('b')
  output = []
  end()
  expect(output.join('')).toBe('Slowest files:\n  1 min 20 s  b\n  3 s  a\n')
})

it.each([
  [0.4, '0 s'],
  [59.6, '1 min 0 s'],
  [200, '3 min 20 s'],
])('minutes shows %d seconds as %s', (seconds, text) => {
  expect(minutes(seconds)).toBe(text)
})
