import { expect, it } from 'vitest'
import { monotonicTime } from './monotonic-time.ts'

it.each([
  ['of the process', { process }],
  ['of a browser', {}],
])('the monotonic time %s passes like the time of performance', (_, platform) => {
  const now = monotonicTime(platform)
  const before = performance.now()
  const from = now()
  const begin = performance.now()
  while (performance.now() < begin + 5);
  const end = performance.now()
  const passed = now() - from
  const after = performance.now()
  expect(passed).toBeGreaterThan(end - begin - 0.1)
  expect(passed).toBeLessThan(after - before + 0.1)
})

it('the monotonic time of the process is in milliseconds', () => {
  const now = monotonicTime({ process: { hrtime: () => [3, 4_500_000] } })
  expect(now()).toBe(3_004.5)
})
