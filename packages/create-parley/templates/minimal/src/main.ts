import { createRuntime } from '@parley/engine'
import { defineAssistant } from './agent.ts'
import { model } from './model.ts'
import { openStore } from './store.ts'

const store = await openStore()
const runtime = createRuntime({ store, resources: [store], agents: [defineAssistant(model)] })

const question = process.argv.slice(2).join(' ') || 'What is 12 * 34?'
const run = runtime.run('assistant', question)
for await (const text of run.textStream) process.stdout.write(text)
process.stdout.write('\n')
await runtime.close()
