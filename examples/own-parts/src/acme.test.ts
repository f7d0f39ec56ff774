// #region contract
import { describeModelContract, createScenarioServer } from '@parley/testing/contract'
import { createAcme, type AcmeEvent } from './acme.ts'

const event = (data: AcmeEvent): string => `data: ${JSON.stringify(data)}\n\n`

describeModelContract('createAcme', {
  open(scenario) {
    const { fetch, idle } = createScenarioServer(scenario, {
      error: '{"error":"slow down"}',
      body: ({ text, toolCalls, usage }) => [
        ...text.map(piece => event({ text: piece })),
        ...toolCalls.map(call => event({ call })),
        event({ usage, done: true }),
      ],
    })
    return { model: createAcme({ apiKey: 'key-of-acme', fetch }).model('acme-1'), idle }
  },
})
// #endregion
