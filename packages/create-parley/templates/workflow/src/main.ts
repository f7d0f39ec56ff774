import { createRuntime } from '@parley/engine'
import { model } from './model.ts'
import { openStore } from './store.ts'
import { defineResearch } from './workflow.ts'

const store = await openStore()
const runtime = createRuntime({ store, resources: [store], agents: [defineResearch(model)] })

const given = process.argv.slice(2)
const questions = given.length > 0 ? given : ['What is 12 * 34?', 'What is 7 * 6?']
const run = runtime.run('research', 'go', { variables: { questions } })
console.log((await run.orThrow()).text)
await runtime.close()
