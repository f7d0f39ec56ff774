import { existsSync, readFileSync } from 'node:fs'
import type { Store } from '@parley/core'
import { createRuntime } from '@parley/engine'
import { expect } from 'vitest'
import { groupAgent } from './group-agent.ts'

export interface KilledGroup {
  readonly effects: string
  readonly acknowledged: string
  readonly statement: number
}

/** Finishes the runs of a process that was killed, and checks that no acknowledged entry is lost and nothing was paid twice. */
export async function finishGroup(store: Store, { effects, acknowledged, statement }: KilledGroup): Promise<void> {
  await using runtime = createRuntime({ store, agents: [groupAgent(effects)], worker: 'heir' })
  const found = await store.runs({ scope: 'default' })
  for (const line of linesOf(acknowledged)) {
    const [runId = '', seq] = line.split(' ')
    const entries = await store.read(runId)
    expect(entries.length, `${line} at statement ${statement}`).toBeGreaterThanOrEqual(Number(seq))
  }
  for (const { runId, status } of found) {
    if (status === 'completed') continue
    const result = await (await runtime.resume(runId, { force: true })).result
    expect(result.status).toBe('completed')
  }
  const paid = linesOf(effects)
  expect(new Set(paid).size).toBe(paid.length)
  for (const { runId } of found) {
    const entries = await store.read(runId)
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1))
    const answered = entries.filter(entry => entry.type === 'tool.ended')
    expect(answered.length).toBeGreaterThanOrEqual(2)
  }
}

function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
}
