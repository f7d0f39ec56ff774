// #region typed
import { defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { defineWorkflow } from '@parley/workflow'
import * as z from 'zod'

const planner = defineAgent({
  name: 'planner',
  model: scriptedModel([{ text: '{"title":"Tides","chapters":["Moon","Sun"]}' }]),
  output: z.object({ title: z.string(), chapters: z.array(z.string()) }),
})
const publish = defineTool({
  name: 'publish',
  description: 'Publishes an outline.',
  input: z.object({ title: z.string(), chapters: z.array(z.string()) }),
  execute: ({ chapters }) => ({ pages: chapters.length }),
})
const book = defineWorkflow(
  {
    name: 'book',
    steps: [
      { type: 'agent', name: 'plan', agent: 'planner', prompt: 'Plan a book.' },
      // '{{result.titel}}' or '{{result.chapters}}' would not compile here: the tool takes a text.
      {
        type: 'tool',
        tool: 'publish',
        input: { title: '{{result.title}}', chapters: '{{steps.plan.output.chapters}}' },
      },
    ],
  },
  { agents: [planner], tools: [publish] },
)

await using runtime = createRuntime({ agents: [book] })
const { output } = await runtime.invoke('book', 'go')
console.log(output.result.pages) // → 2
// #endregion
