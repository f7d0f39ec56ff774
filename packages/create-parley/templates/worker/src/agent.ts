import { defineTool, type Model } from '@parley/core'
import { createRuntime, defineAgent, type RuntimeOptions } from '@parley/engine'
import * as z from 'zod'

/** Sends an e-mail. Replace the line with a call of your mail service. */
function printMail(to: string, text: string): void {
  console.log(`To ${to}: ${text}`)
}

export interface WorkerOptions extends Pick<RuntimeOptions, 'store' | 'autoResume' | 'onClose' | 'resources'> {
  readonly model: Model
  readonly send?: (to: string, text: string) => void
}

/** A runtime with an agent that may send e-mails after a user's approval. */
export function createWorker({ model, send = printMail, ...options }: WorkerOptions) {
  const sendMail = defineTool({
    name: 'send_mail',
    description: 'Sends an e-mail.',
    input: z.object({ to: z.string(), text: z.string() }),
    // At most once: after a crash in the middle, the run says so instead of sending the e-mail again.
    effect: 'once',
    permission: 'ask',
    execute: ({ to, text }) => {
      send(to, text)
      return 'sent'
    },
  })
  const clerk = defineAgent({
    name: 'clerk',
    model,
    instructions: 'You answer requests of customers by e-mail.',
    tools: [sendMail],
  })
  return createRuntime({ ...options, agents: [clerk] })
}
