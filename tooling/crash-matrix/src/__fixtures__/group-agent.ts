import { appendFileSync } from 'node:fs'
import { defineTool } from '@parley/core'
import { defineAgent } from '@parley/engine'
import { calling, modelOf } from './parts.ts'

/** An agent that pays twice. Each payment is a line of the file `effects`. */
export function groupAgent(effects: string) {
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { type: 'object' },
    execute: (_, { idempotencyKey }) => {
      appendFileSync(effects, `${idempotencyKey}\n`)
      return 'paid'
    },
  })
  return defineAgent({ name: 'worker', model: modelOf(turn => (turn < 2 ? calling(turn, 'pay') : 'All done.')), tools: [pay] })
}
