// #region workflow
import assert from 'node:assert/strict'
import { defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing' // or: createOpenAI().model('gpt-5-mini') from '@parley/openai'
import { defineWorkflow } from '@parley/workflow'
import * as z from 'zod'

const model = scriptedModel(({ messages }) => `On ${JSON.stringify(messages[0]?.content).match(/about (\w+)/)?.[1]}.`)
const writer = defineAgent({ name: 'writer', model })
const send = defineTool({
  name: 'send',
  description: 'Sends a newsletter.',
  input: z.object({ parts: z.array(z.string()) }),
  execute: ({ parts }) => ({ sent: parts.length }),
})

const newsletter = defineWorkflow(
  {
    name: 'newsletter',
    inputs: { topics: {}, tone: { default: 'plain' } },
    steps: [
      {
        type: 'map',
        name: 'drafts',
        over: 'topics',
        as: 'topic',
        steps: [{ type: 'agent', agent: 'writer', prompt: 'Three lines about {{topic}}, {{tone}}.' }],
      },
      { type: 'approval', prompt: 'Send this? {{result}}', roles: ['editor'], timeoutMs: 86_400_000 },
      { type: 'tool', tool: 'send', input: { parts: '{{steps.drafts.output}}' } },
    ],
  },
  { agents: [writer], tools: [send] },
)

await using runtime = createRuntime({ agents: [newsletter], store: createMemoryStore() }) // or openSqliteStore, to wait on disk
const asked = await runtime.run('newsletter', 'go', { variables: { topics: ['tides', 'moons'] } }).result
assert(asked.status === 'suspended')
const [request] = asked.approvals
console.log(request?.prompt) // → Send this? ["On tides.","On moons."]

const by = { id: 'eve', roles: ['editor'] }
const run = await runtime.decide(asked.runId, request?.approvalId ?? '', { decision: { type: 'approved' }, by })
const { status, output } = await run.orThrow()
console.log(status, output) // → completed { status: 'success', result: { sent: 2 }, failures: [] }
// #endregion workflow
