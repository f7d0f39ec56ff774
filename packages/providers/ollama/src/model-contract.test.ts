import { describeModelContract, createScenarioServer } from '@parley/testing/contract'
import { createOllama } from './create-ollama.ts'

const line = (value: unknown): string => `${JSON.stringify(value)}\n`

describeModelContract('createOllama', {
  open(scenario) {
    const { fetch, idle } = createScenarioServer(scenario, {
      error: '{"error":"slow down"}',
      body: ({ text, toolCalls, usage }) => [
        ...text.map(content => line({ message: { content } })),
        ...toolCalls.map(({ name, arguments: json }) =>
          line({ message: { tool_calls: [{ function: { name, arguments: JSON.parse(json) as unknown } }] } }),
        ),
        line({ done: true, done_reason: 'stop', prompt_eval_count: usage.input, eval_count: usage.output }),
      ],
    })
    return { model: createOllama({ fetch }).model('qwen3'), idle }
  },
})
