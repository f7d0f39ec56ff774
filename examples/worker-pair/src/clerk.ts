import { appendFileSync } from 'node:fs'
import { defineTool } from '@parley/core'
import { defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing' // or: createOpenAI().model('gpt-5-mini') from '@parley/openai'
import * as z from 'zod'

const pay = defineTool({
  name: 'pay',
  description: 'Pays an invoice.',
  input: z.object({ invoice: z.string() }),
  execute: ({ invoice }) => appendFileSync(process.env['LEDGER'] ?? 'ledger.txt', `${invoice}\n`),
})
const mail = defineTool({
  name: 'mail',
  description: 'Sends a mail.',
  input: z.object({ to: z.string() }),
  effect: 'idempotent',
  async execute() {
    process.stdout.write('mailing\n')
    // The first worker of the test never ends this call.
    if (process.env['SLOW_MAIL'] === '1') await new Promise(() => setInterval(() => {}, 60_000))
    return 'sent'
  },
})
// A process that resumes the run calls the model from the conversation so far.
const model = scriptedModel(({ messages }) => {
  const results = messages.filter(message => message.role === 'tool').length
  if (results === 0) return { toolCalls: [{ name: 'pay', input: { invoice: 'A-7' } }] }
  return results === 1 ? { toolCalls: [{ name: 'mail', input: { to: 'ann' } }] } : 'Paid and mailed.'
})

export const clerk = defineAgent({ name: 'clerk', model, tools: [pay, mail] })
