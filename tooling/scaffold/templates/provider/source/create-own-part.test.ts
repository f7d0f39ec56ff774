import { describeModelContract, createScenarioServer } from '@parley/testing/contract'
import { createOwnPart, type OwnPartEvent } from './create-own-part.ts'

const event = (data: OwnPartEvent): string => `data: ${JSON.stringify(data)}\n\n`

describeModelContract('createOwnPart', {
  open(scenario) {
    const { fetch, idle } = createScenarioServer(scenario, {
      error: '{"error":"slow down"}',
      body: ({ text, toolCalls, usage }) => [
        ...text.map(piece => event({ text: piece })),
        ...toolCalls.map(call => event({ call })),
        event({ usage, done: true }),
      ],
    })
    return { model: createOwnPart({ apiKey: 'key-of-own-part', fetch }).model('own-part-1'), idle }
  },
})
