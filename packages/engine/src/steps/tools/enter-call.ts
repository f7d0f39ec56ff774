import type { RunContext } from '../../run-context/run-context.ts'
import type { Semaphore } from '@parley/core'

/** The semaphores that a tool call must enter before its handler runs. `undefined` if there are none. */
export function callGates(run: RunContext, own: Semaphore | undefined): readonly Semaphore[] | undefined {
  const { quotas } = run.agent
  if (quotas.length === 0) return own === undefined ? undefined : [own]
  const depth = run.facts.path.length
  const gates = [own, ...quotas.map(holder => holder.calls(depth))].filter(gate => gate !== undefined)
  return gates.length === 0 ? undefined : gates
}

/** Enters each semaphore, in this order, so that calls cannot deadlock. `undefined` if the run was stopped first. */
export async function enterGates(run: RunContext, gates: readonly Semaphore[]): Promise<(() => void) | undefined> {
  const places: (() => void)[] = []
  const leave = (): void => {
    for (const place of places) place()
  }
  for (const gate of gates) {
    const place = gate.tryAcquire() ?? (await gate.acquire(run.stopper))
    if (place === undefined) {
      leave()
      return undefined
    }
    places.push(place)
  }
  return leave
}
