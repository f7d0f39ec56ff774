// #region compose
import { createDemoModel } from '@parley/demo-model' // or: createOpenAI().model('gpt-5-mini') from '@parley/openai'
import { createRuntime, defineAgent } from '@parley/engine'
import { openSqliteStore } from '@parley/sqlite'
import { calculator } from '@parley/tools/math'

await using store = await openSqliteStore({ path: ':memory:' }) // or a file, to resume after a crash
const assistant = defineAgent({ name: 'assistant', model: createDemoModel(), tools: [calculator] })
await using runtime = createRuntime({ store, agents: [assistant] })

const run = runtime.run('assistant', 'What is 12 * 34?')
for await (const event of run) {
  if (event.type === 'tool.started') console.log(event.name, event.input) // → calculator { expression: '12 * 34' }
}
const { text, turns } = await run.orThrow()
console.log(turns, text) // → 2 12 * 34 = 408.
// #endregion
