import { fakeClock } from '@parley/testing'
import { expect, it } from 'vitest'
import { Circuit } from './circuit.ts'

it('a call that fails after its circuit has opened does not keep the circuit open for longer', async () => {
  const clock = fakeClock()
  const circuit = new Circuit({ failures: 1, openMs: 1_000, clock, onChange: () => {} })
  expect([circuit.enter(), circuit.enter()]).toEqual([0, 0])
  circuit.fail()
  await clock.advance(900)
  circuit.fail()
  expect(circuit.enter()).toBe(100)
  await clock.advance(100)
  expect(circuit.enter()).toBe(0)
})
