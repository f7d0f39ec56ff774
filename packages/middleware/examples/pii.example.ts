// #region pii
import { defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryVault, createPiiMask } from '@parley/middleware/pii'
import { scriptedModel } from '@parley/testing'
import * as z from 'zod'

const sent: string[] = []
const send = defineTool({
  name: 'send',
  description: 'Sends a note.',
  input: z.object({ to: z.email() }),
  execute: ({ to }) => void sent.push(to),
})
const model = scriptedModel([{ toolCalls: [{ name: 'send', input: { to: '[EMAIL_1]' } }] }, 'Sent to [EMAIL_1].'])

const pii = createPiiMask({ vault: createMemoryVault() })
const agent = defineAgent({
  name: 'clerk',
  model,
  tools: [pii.protect(send)],
  inputFilters: [pii.inputFilter],
  middleware: [pii.middleware],
})
const result = await createRuntime().invoke(agent, 'Tell ann@example.org, please.')

console.log(JSON.stringify(model.requests).includes('ann@')) // → false
console.log(sent.join()) // → ann@example.org
console.log(result.text) // → Sent to [EMAIL_1].
console.log(pii.restore(result.text, { scope: 'default', sessionId: result.sessionId })) // → Sent to ann@example.org.
// #endregion
