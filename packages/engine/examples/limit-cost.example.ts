// #region limit
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'

// A model whose calls cost half a dollar each. Prices are in US dollars for a million tokens.
const pricing = { input: 50_000, output: 0 }
const model = scriptedModel(() => ({ toolCalls: [{ name: 'search' }] }), { info: { pricing } })
const search = { name: 'search', description: 'd', input: { type: 'object' }, execute: () => 'nothing' } as const
const researcher = defineAgent({ name: 'researcher', model, tools: [search], limits: { maxCost: 1 } })

const DAY = 86_400_000
const runtime = createRuntime({
  agents: [researcher],
  store: createMemoryStore(),
  quota: { maxCost: 2, windowMs: DAY, key: 'principal' },
})
const by = (id: string) => ({ principal: { id, roles: [] } })

// One run: it ends before the call after the limit. A limit of the run overrides the agent's.
const one = await runtime.run('researcher', 'Find it.', by('ann')).result
console.log(one.status, one.cost?.usd) // → limit 1
const two = await runtime.run('researcher', 'Find it.', { ...by('ann'), limits: { maxCost: 0.5 } }).result
console.log(two.status, two.cost?.usd) // → limit 0.5

// All runs: Ann has half a dollar left today. Bob has his own two dollars.
const three = await runtime.run('researcher', 'Find it.', by('ann')).result
console.log(three.status, three.cost?.usd) // → failed 0.5
if (three.status === 'failed') console.log(three.error.code) // → quota-exceeded
console.log((await runtime.run('researcher', 'Find it.', by('bob')).result).status) // → limit
// #endregion
