import { Semaphore } from '@parley/core'
import { expect, it } from 'vitest'
import type { RunContext } from '../../run-context/run-context.ts'
import { Stopper } from '../../run-context/stopper.ts'
import { enterGates } from './enter-call.ts'

it('a call that is stopped while it waits for a place leaves the places that it has', async () => {
  const [own, shared] = [new Semaphore(1), new Semaphore(1)]
  const leaveShared = shared.tryAcquire()
  const stopper = new Stopper()
  const entering = enterGates({ stopper } as RunContext, [own, shared])
  await Promise.resolve()
  expect([own.full, shared.waiting]).toEqual([true, 1])
  stopper.stop(new Error('stop'))
  expect(await entering).toBeUndefined()
  expect([own.full, shared.waiting]).toEqual([false, 0])
  leaveShared?.()
  expect(shared.full).toBe(false)
})

it('a call that has its result leaves every place', async () => {
  const gates = [new Semaphore(1), new Semaphore(1)]
  const leave = await enterGates({ stopper: new Stopper() } as RunContext, gates)
  expect(gates.map(({ full }) => full)).toEqual([true, true])
  leave?.()
  expect(gates.map(({ full }) => full)).toEqual([false, false])
})
