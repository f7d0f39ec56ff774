import type { Model } from '@parley/core'
import type { ScenarioWire } from '@parley/testing/contract'
import { createGoogle } from '../create-google.ts'

/** A surface of the provider: how its server writes the responses of a scenario, and the model that reads them. */
export interface Surface {
  readonly wire: ScenarioWire
  readonly open: (fetch: typeof globalThis.fetch) => Model
}

const chunk = (value: unknown): string => `data: ${JSON.stringify(value)}\r\n\r\n`
const part = (value: unknown): string => chunk({ candidates: [{ content: { parts: [value] } }] })

const wire: ScenarioWire = {
  error: '{"error":{"code":429,"message":"Slow down.","status":"RESOURCE_EXHAUSTED"}}',
  body: ({ text, toolCalls, usage }) => [
    ...text.map(words => part({ text: words })),
    ...toolCalls.map(call =>
      part({ functionCall: { name: call.name, args: JSON.parse(call.arguments) as unknown } }),
    ),
    chunk({
      candidates: [{ finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: usage.input, candidatesTokenCount: usage.output },
    }),
  ],
}

export const surfaces: Readonly<Record<string, Surface>> = {
  'createGoogle with the Gemini API': {
    wire,
    open: fetch => createGoogle({ apiKey: 'key-of-mine', fetch }).model('gemini-2.0-flash'),
  },
  'createGoogle with Vertex AI': {
    wire,
    open: fetch =>
      createGoogle({ vertex: { project: 'p', accessToken: async () => 'token-of-mine' }, fetch }).model('gemini-2.0-flash'),
  },
}
