import { describeModelContract, createScenarioServer } from '@parley/testing/contract'
import { createGoogle, type GoogleOptions } from './create-google.ts'

const chunk = (value: unknown): string => `data: ${JSON.stringify(value)}\r\n\r\n`
const part = (value: unknown): string => chunk({ candidates: [{ content: { parts: [value] } }] })

const platforms: Readonly<Record<string, GoogleOptions>> = {
  'createGoogle with the Gemini API': { apiKey: 'key-of-mine' },
  'createGoogle with Vertex AI': { vertex: { project: 'p', accessToken: async () => 'token-of-mine' } },
}

for (const [name, options] of Object.entries(platforms))
  describeModelContract(name, {
    open(scenario) {
      const { fetch, idle } = createScenarioServer(scenario, {
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
      })
      return { model: createGoogle({ ...options, fetch }).model('gemini-2.0-flash'), idle }
    },
  })
