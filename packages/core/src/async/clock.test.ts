import { describe, expect, it } from 'vitest'
import { createSteadyClock } from './clock.ts'

function setUp() {
  const time = { wall: 1_000_000, monotonic: 5 }
  const machine = { now: () => time.wall, monotonic: () => time.monotonic, after: () => () => {} }
  const pass = (ms: number): void => {
    time.wall += ms
    time.monotonic += ms
  }
  return { time, pass, clock: createSteadyClock(machine) }
}

describe('createSteadyClock', () => {
  it("a steady clock begins at the machine's time and passes with it", () => {
    const { clock, pass } = setUp()
    expect(clock.now()).toBe(1_000_000)
    for (const ms of [1, 49, 51, 10_000]) pass(ms)
    expect(clock.now()).toBe(1_010_101)
  })

  it.each([-3_600_000, -10, 51, 3_600_000])(
    "a jump of the machine's time by %d ms does not move a steady clock",
    jump => {
      const { clock, pass, time } = setUp()
      pass(20)
      clock.now()
      time.wall += jump
      expect(clock.now()).toBe(1_000_020)
      pass(30)
      expect(clock.now()).toBe(1_000_050)
    },
  )

  it('a steady clock never runs back, also after small jumps that it counts as time', () => {
    const { clock, pass, time } = setUp()
    time.wall += 40
    const before = clock.now()
    time.wall -= 40
    expect(clock.now()).toBeGreaterThanOrEqual(before)
    pass(1_000)
    expect(clock.now()).toBe(1_001_000)
  })

  it('a clock without monotonic time is used as it is', () => {
    const machine = { now: () => 7, after: () => () => {} }
    expect(createSteadyClock(machine)).toBe(machine)
  })
})
