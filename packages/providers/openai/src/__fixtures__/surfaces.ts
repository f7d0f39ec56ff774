import type { Model } from '@parley/core'
import type { ScenarioWire } from '@parley/testing/contract'
import { createOpenAI } from '../create-openai.ts'

/** A surface of the provider: how its server writes the responses of a scenario, and the model that reads them. */
export interface Surface {
  readonly wire: ScenarioWire
  readonly open: (fetch: typeof globalThis.fetch) => Model
}

const ERROR = '{"error":{"message":"Slow down.","type":"requests","code":"rate_limit_exceeded"}}'

const chunk = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const choice = (delta: unknown, reason: string | null = null): string =>
  chunk({ choices: [{ index: 0, delta, finish_reason: reason }] })

export const surfaces: Readonly<Record<string, Surface>> = {
  'createOpenAI with chat completions': {
    wire: {
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
    },
    open: fetch => createOpenAI({ apiKey: 'key-of-mine', fetch }).model('gpt-4.1'),
  },
  'createOpenAI with the Responses API': {
    wire: {
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
    },
    open: fetch => createOpenAI({ apiKey: 'key-of-mine', api: 'responses', fetch }).model('gpt-4.1'),
  },
}
