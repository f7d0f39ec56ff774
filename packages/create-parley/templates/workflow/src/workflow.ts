import type { Model } from '@parley/core'
import { defineAgent } from '@parley/engine'
import { calculator } from '@parley/tools/math'
import { defineWorkflow } from '@parley/workflow'

/** Answers each question on its own, then writes one report. `limits.maxTokens` is the budget of all steps together. */
export function defineResearch(model: Model) {
  const researcher = defineAgent({
    name: 'researcher',
    model,
    instructions: 'Answer in one sentence.',
    tools: [calculator],
  })
  const writer = defineAgent({ name: 'writer', model, instructions: 'Write a short report.' })
  return defineWorkflow(
    {
      name: 'research',
      inputs: { questions: {} },
      limits: { maxTokens: 50_000 },
      steps: [
        {
          type: 'map',
          name: 'findings',
          over: 'questions',
          as: 'question',
          steps: [{ type: 'agent', agent: 'researcher', prompt: '{{question}}' }],
        },
        { type: 'agent', agent: 'writer', prompt: 'Write a report of these findings: {{steps.findings.output}}' },
      ],
    },
    { agents: [researcher, writer] },
  )
}
