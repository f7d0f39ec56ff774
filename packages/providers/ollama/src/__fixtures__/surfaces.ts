import type { Model } from '@parley/core'
import type { ScenarioWire } from '@parley/testing/contract'
import { createOllama } from '../create-ollama.ts'

/** A surface of the provider: how its server writes the responses of a scenario, and the model that reads them. */
export interface Surface {
  readonly wire: ScenarioWire
  readonly open: (fetch: typeof globalThis.fetch) => Model
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`

export const surfaces: Readonly<Record<string, Surface>> = {
  createOllama: {
    wire: {
      error: '{"error":"slow down"}',
      body: ({ text, toolCalls, usage }) => [
        ...text.map(content => line({ message: { content } })),
        ...toolCalls.map(({ name, arguments: json }) =>
          line({ message: { tool_calls: [{ function: { name, arguments: JSON.parse(json) as unknown } }] } }),
        ),
        line({ done: true, done_reason: 'stop', prompt_eval_count: usage.input, eval_count: usage.output }),
      ],
    },
    open: fetch => createOllama({ fetch }).model('qwen3'),
  },
}
