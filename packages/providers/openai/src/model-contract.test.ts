import { describeModelContract, createScenarioServer } from '@parley/testing/contract'
import { createOpenAI } from './create-openai.ts'

const ERROR = '{"error":{"message":"Slow down.","type":"requests","code":"rate_limit_exceeded"}}'

const chunk = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const choice = (delta: unknown, reason: string | null = null): string =>
  chunk({ choices: [{ index: 0, delta, finish_reason: reason }] })

describeModelContract('createOpenAI with chat completions', {
  open(scenario) {
    const { fetch, idle } = createScenarioServer(scenario, {
      error: ERROR,
      body: ({ text, toolCalls, usage }) => [
        ...text.map(content => choice({ content })),
        ...toolCalls.map(({ callId, name, arguments: json }, index) =>
          choice({ tool_calls: [{ index, id: callId, function: { name, arguments: json } }] }),
        ),
        choice({}, toolCalls.length > 0 ? 'tool_calls' : 'stop'),
        chunk({ choices: [], usage: { prompt_tokens: usage.input, completion_tokens: usage.output } }),
        'data: [DONE]\n\n',
      ],
    })
    return { model: createOpenAI({ apiKey: 'key-of-mine', fetch }).model('gpt-4.1'), idle }
  },
})

describeModelContract('createOpenAI with the Responses API', {
  open(scenario) {
    const { fetch, idle } = createScenarioServer(scenario, {
      error: ERROR,
      body: ({ text, toolCalls, usage }) => [
        ...text.map(delta => chunk({ type: 'response.output_text.delta', output_index: 0, delta })),
        ...toolCalls.map(({ callId, name, arguments: json }, index) =>
          chunk({
            type: 'response.output_item.done',
            output_index: index,
            item: { type: 'function_call', call_id: callId, name, arguments: json },
          }),
        ),
        chunk({
          type: 'response.completed',
          response: {
            status: 'completed',
            output: [],
            usage: { input_tokens: usage.input, output_tokens: usage.output },
          },
        }),
      ],
    })
    return { model: createOpenAI({ apiKey: 'key-of-mine', api: 'responses', fetch }).model('gpt-4.1'), idle }
  },
})
