import { defineTool } from '@parley/core'
import { scriptedModel, type ScriptedAnswer } from '@parley/testing'
import type { TestServerOptions } from './open-test-server.ts'

/** A failure that clients repeat. */
export const overloaded = { code: 'model-overloaded', provider: 'scripted', detail: 'Try later.' } as const

/** An agent that books something in each run. Its effects are written to a ledger, and `then` follows the booking. */
export function bookingAgent(
  then: (run: number) => ScriptedAnswer | string,
): TestServerOptions & { readonly ledger: string[] } {
  const ledger: string[] = []
  const book = defineTool({
    name: 'book',
    description: 'Books.',
    input: { type: 'object' },
    effect: 'once',
    execute: (_, { run }) => {
      ledger.push(run.runId)
      return 'booked'
    },
  })
  const model = scriptedModel(({ messages }) =>
    messages.at(-1)?.role === 'tool' ? then(ledger.length) : { toolCalls: [{ name: 'book' }] },
  )
  return { agent: { model, tools: [book] }, ledger }
}
