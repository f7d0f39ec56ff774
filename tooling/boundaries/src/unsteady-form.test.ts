import { expect, it } from 'vitest'
import { readSourceFacts } from './source-facts.ts'

/** The lines of a text that the rule `steady` reports. */
function linesOf(lines: readonly string[], file = 'packages/mcp/src/a.test.ts'): readonly number[] {
  const { banned } = readSourceFacts(file, lines.join('\n'))
  return banned.filter(({ rule }) => rule === 'steady').map(({ line }) => line)
}

const UNSTEADY: readonly (readonly [form: string, line: string])[] = [
  ['a poll with a short limit', `await expect.poll(() => a, { timeout: 5_000 }).toBe(1)`],
  ['a wait with a short limit', `await vi.waitFor(() => expect(a).toBe(1), 10_000)`],
  ['a wait with a short limit in an object', `await vi.waitUntil(() => a, { timeout: 29_999 })`],
  ['a wait without a limit', `await vi.waitUntil(() => a)`],
  ['a test with a short limit', `it.each([1])('a', { timeout: 5_000 }, () => {})`],
  ['a test with a short limit at its end', `it('a', () => {}, 5_000)`],
  ['a signal that guards a request', `await fetch(url, { signal: AbortSignal.timeout(20_000) })`],
  ['a bound on elapsed time', `expect(performance.now() - start).toBeLessThan(100)`],
  ['a bound on measured time', `expect(ms).toBeLessThanOrEqual(100)`],
  ['a comparison with elapsed time', `check(Date.now() - start < 100)`],
  ['a sleep before an assertion', `await sleep(20); expect(a).toBe(1)`],
  ['a timer before an assertion', `await new Promise(resolve => setTimeout(resolve, 5)); expect(a).toBe(1)`],
  ['a wait for the end of a socket', `await once(socket, 'close')`],
  ['a listener on all rejections', `process.on('unhandledRejection', note)`],
  ['an assignment to fetch', `globalThis.fetch = fake`],
  ['a fixed temporary path', `const file = join(tmpdir(), 'parley')`],
  ['a function that finds a port', `async function freePort() {}`],
]

it.each(UNSTEADY)('the rule steady reports %s', (_, line) => {
  expect(linesOf(['', line])).toEqual([2])
})

it.each(UNSTEADY)('a comment that begins with Steady makes an exception from %s', (_, line) => {
  expect(linesOf(['// Steady: the reason.', line])).toEqual([])
  expect(linesOf(['// Steady:', line])).toEqual([2])
})

it('the rule steady accepts long guards, facts, stimuli and temporary folders', () => {
  const lines = [
    `await expect.poll(() => a).toBe(1)`,
    `await vi.waitFor(() => expect(a).toBe(1), 30_000)`,
    `await vi.waitFor(() => expect(a).toBe(1), options)`,
    `await vi.waitUntil(() => a, { timeout: 60_000, interval: 10 })`,
    `it('a', { timeout: SLOW }, () => {})`,
    `it('a', () => {}, 60_000)`,
    `it.each([5, 5_000])('%i', () => {})`,
    `await ask(AbortSignal.timeout(20))`,
    `expect(performance.now() - start).toBeGreaterThan(25)`,
    `while (Date.now() - start < 100) await sleep(5)`,
    `await sleep(20); await work()`,
    `for (;;) { await sleep(20) } expect(a).toBe(1)`,
    `await once(child, 'close')`,
    `process.on('exit', note)`,
    `const file = join(mkdtempSync(join(tmpdir(), 'parley-')), 'a')`,
  ]
  expect(linesOf(lines)).toEqual([])
})

it('the rule steady applies to tests, fixtures and the package for tests', () => {
  const line = `await vi.waitUntil(() => a)`
  expect(linesOf([line], 'packages/mcp/src/__fixtures__/a.ts')).toEqual([1])
  expect(linesOf([line], 'packages/testing/src/a.ts')).toEqual([1])
  expect(linesOf([line], 'packages/mcp/src/a.ts')).toEqual([])
})
