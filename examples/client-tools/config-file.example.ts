// A configuration file describes the tool. `parley run --config parley.yaml "…"` then `parley submit last Bern` does the same.
import { join } from 'node:path'
import { composeFile } from '@parley/config/node'
import { standardRegistry } from '@parley/config/standard'
import { createRuntime } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'

const model = scriptedModel([{ toolCalls: [{ name: 'locate', input: {} }] }, 'It rains in Bern.'])
const { runtimeOptions } = await composeFile(
  join(import.meta.dirname, 'parley.yaml'),
  { ...standardRegistry(), model },
  { environment: {} },
)
await using runtime = createRuntime({ ...runtimeOptions, store: createMemoryStore() })
const waiting = await runtime.run('guide', 'Do I need an umbrella?').result
if (waiting.status !== 'suspended') throw new Error(waiting.status)
const [call] = waiting.clientCalls
const run = await runtime.submitToolResult(waiting.runId, call?.callId ?? '', 'Bern')
console.log(call?.name, (await run.orThrow()).text) // → locate It rains in Bern.
