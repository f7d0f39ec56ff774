import { defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'

const pay = defineTool({
  name: 'pay',
  description: 'Pays a bill.',
  input: { type: 'object' },
  execute: () => {
    console.log('paid') // → paid
    return 'paid'
  },
})
const old = scriptedModel([{ toolCalls: [{ name: 'pay', input: { bill: 7 } }] }, 'Bill 7 is paid.'])
const clerk = defineAgent({ name: 'clerk', model: old, tools: [pay] })
const store = createMemoryStore()
await createRuntime({ store, agents: [clerk] }).run('clerk', 'Pay bill 7.').result

const newModel = scriptedModel([{ toolCalls: [{ name: 'pay', input: { bill: 7, tip: 1 } }] }])
// #region backtest
import { backtest } from '@parley/evals/backtest'

const { counts, runs } = await backtest({
  store,
  runs: { agent: 'clerk' },
  agents: [clerk],
  change: { model: newModel },
})
console.log(counts.diverged, runs[0]?.divergence?.reason) // → 1 The recorded run called pay, but not with this input
// #endregion
