import { createRuntime } from '@parley/engine'
import { openPostgresStore } from '@parley/postgres'
import { scriptedAgent } from '../scripted-agent.mjs'
import { driveRuns } from './drive-runs.mjs'

const job = JSON.parse(process.argv[2])
const store = await openPostgresStore({ url: job.url, schema: job.schema })
const appendTimes = []
const timed = {
  ...store,
  async append(append, options) {
    const from = performance.now()
    await store.append(append, options)
    appendTimes.push(performance.now() - from)
  },
}
const runtime = createRuntime({ store: timed, agents: [scriptedAgent({ turns: job.turns })] })
await driveRuns(job, {
  appendTimes,
  async drive() {
    const { status, turns } = await runtime.invoke('bench', 'go')
    if (status !== 'completed' || turns !== job.turns) throw new Error(`a run ended as ${status} after ${turns} turns`)
  },
})
