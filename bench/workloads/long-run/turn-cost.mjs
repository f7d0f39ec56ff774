import { createRuntime } from '@parley/engine'
import { longAgent } from './long-agent.mjs'
import { CpuOfTurns } from './cpu-of-turns.mjs'

/** Measures what a turn of a run costs around turn `turn`. @param openStore Called for each run. */
export async function costOfTurn({ turn, openStore, maxMessages }) {
  const meter = new CpuOfTurns(turn)
  const script = { next: () => meter.begin() }
  const agent = longAgent(script, maxMessages)
  while (!meter.done) {
    meter.startRun()
    const runtime = createRuntime({ agents: [agent], store: await openStore() })
    const { status } = await runtime.run('long', 'go').result
    if (status !== 'completed') throw new Error(`the run ended as ${status}`)
  }
  return { us: meter.microseconds, turns: meter.turns }
}
