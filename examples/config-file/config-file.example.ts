// Two agents, their models and a runtime come from one file. The program registers the tools and providers that the file may name.
import assert from 'node:assert/strict'
import { join } from 'node:path'
// #region compose
import { composeConfig } from '@parley/config'
import { loadConfig } from '@parley/config/node'
import { createDemoModel } from '@parley/demo-model'
import { createRuntime } from '@parley/engine'
import { createOpenAI } from '@parley/openai'
import { openSqliteStore } from '@parley/sqlite'
import { calculator } from '@parley/tools/math'

const path = join(import.meta.dirname, 'parley.yaml')
const config = await loadConfig(path, { environment: { OPENAI_API_KEY: 'sk-example' } }) // default: process.env
const registry = { providers: { openai: createOpenAI }, tools: [calculator] }
const { runtimeOptions, agents } = await composeConfig(config, { ...registry, model: createDemoModel() }) // without `model`: the models of the file

await using store = await openSqliteStore({ path: ':memory:' }) // or the `store` that composeConfig returns
await using runtime = createRuntime({ ...runtimeOptions, store })
const { text } = await runtime.invoke('clerk', 'What is 12 * 34?')
console.log(agents.map(agent => agent.name).join(), text) // → clerk,researcher 12 * 34 = 408.
// #endregion

const [clerk, researcher] = (await composeConfig(config, registry)).agents
assert.ok(typeof clerk?.model === 'object' && typeof researcher?.model === 'object')
console.log(`${clerk.model.provider}/${clerk.model.id}, ${researcher.model.provider}/${researcher.model.id}`) // → openai/gpt-5-mini, local/qwen3
assert.equal(researcher.model.info.contextWindow, 32_768)
// One error lists all names that the program has not registered.
await assert.rejects(composeConfig(config), /parley\.yaml: \d problems:\n.*'calculator', which is not registered/s)
