import { defineTool } from '@parley/core'
import { summarize } from '@parley/context-policies'
import { createDemoModel } from '@parley/demo-model'
import { agentTool, defineAgent, type Agent } from '@parley/engine'
import { calculator } from '@parley/tools/math'
import { defineWorkflow } from '@parley/workflow'
import * as z from 'zod'
import { demoModel } from './demo-models.ts'

/** Milliseconds that the models of the demo take for an answer. */
export interface DemoSpeed {
  readonly delayMs: number
}

/** The agents of the demo. They need no key and no network. */
export function demoAgents({ delayMs }: DemoSpeed): readonly Agent[] {
  const researcher = defineResearcher(delayMs)
  return [
    defineAgent({ name: 'assistant', model: createDemoModel({ wordDelayMs: delayMs === 0 ? 0 : 40 }), tools: [calculator] }),
    defineSupport(delayMs),
    researcher,
    defineEditor(researcher, delayMs),
    defineBilling(delayMs),
    defineTranslator(),
    defineArchivist(delayMs),
    defineReport(delayMs),
  ]
}

function defineSupport(delayMs: number): Agent {
  const order = defineTool({
    name: 'find_order',
    description: 'Finds an order.',
    input: z.object({ order: z.string() }),
    effect: 'read',
    execute: ({ order }) => JSON.stringify({ order, total: 48, currency: 'EUR', delivered: false }),
  })
  const refund = defineTool({
    name: 'refund',
    description: 'Pays money back to a customer.',
    input: z.object({ order: z.string(), euros: z.number() }),
    permission: { effect: 'ask', prompt: 'Pay this money back?' },
    execute: ({ order, euros }) => `Paid ${euros} euros for order ${order}.`,
  })
  const model = demoModel(
    ({ results, question, result }) => {
      const id = /[A-Z]-\d+/.exec(question)?.[0]
      if (id === undefined) return 'Which order is it? Please give me its number, for example **A-7**.'
      if (results === 0) return { reasoning: `I have to look at order ${id} first.`, toolCalls: [{ name: 'find_order', input: { order: id } }] }
      if (results === 1) return { toolCalls: [{ name: 'refund', input: { order: id, euros: 48 } }] }
      return result.startsWith('Paid') ? `Done: ${result}\n\nIt takes *two days* to arrive.` : 'I may not pay this back. I have told a colleague.'
    },
    'demo-large',
    delayMs,
  )
  return defineAgent({ name: 'support', description: 'Answers customers and pays back.', model, tools: [order, refund] })
}

function defineResearcher(delayMs: number): Agent {
  const search = defineTool({
    name: 'search',
    description: 'Searches the archive.',
    input: z.object({ query: z.string() }),
    effect: 'read',
    execute: async ({ query }) => {
      await pause(delayMs / 2)
      return `Three documents about ${query}.`
    },
  })
  const model = demoModel(
    ({ results, question }) =>
      results === 0
        ? { toolCalls: [{ name: 'search', input: { query: question } }] }
        : `The archive has **three documents** about ${question}.\n\n1. A survey\n2. A report\n3. A letter`,
    'demo-small',
    delayMs,
  )
  return defineAgent({ name: 'researcher', description: 'Finds documents.', model, tools: [search] })
}

function defineEditor(researcher: Agent, delayMs: number): Agent {
  const model = demoModel(
    ({ results, question }) =>
      results === 0
        ? {
            text: 'I ask two researchers.',
            toolCalls: [
              { name: 'researcher', input: { task: `${question}: history` } },
              { name: 'researcher', input: { task: `${question}: present` } },
            ],
          }
        : `# ${question}\n\n| Part | Documents |\n|---|---|\n| History | 3 |\n| Present | 3 |\n\nBoth parts are covered.`,
    'demo-large',
    delayMs,
  )
  return defineAgent({ name: 'editor', description: 'Writes overviews with two researchers.', model, tools: [agentTool(researcher)] })
}

/** The tool of this agent kills its process if `PARLEY_DEMO_CRASH` is set. */
function defineBilling(delayMs: number): Agent {
  const charge = defineTool({
    name: 'charge_card',
    description: 'Charges a card.',
    input: z.object({ customer: z.string(), euros: z.number() }),
    effect: 'once',
    execute: ({ customer, euros }) => {
      if (process.env['PARLEY_DEMO_CRASH'] === '1') process.kill(process.pid, 'SIGKILL')
      return `Charged ${euros} euros to ${customer}.`
    },
  })
  const model = demoModel(
    ({ results, result }) =>
      results === 0
        ? { toolCalls: [{ name: 'charge_card', input: { customer: 'Ann', euros: 20 } }] }
        : result.startsWith('Charged')
          ? result
          : 'The outcome of the charge is unknown. I did not repeat it.',
    'demo-small',
    delayMs,
  )
  return defineAgent({ name: 'billing', description: 'Charges cards.', model, tools: [charge] })
}

function defineTranslator(): Agent {
  const detail = 'The key of this demo model was revoked.'
  const model = demoModel(() => ({ error: { code: 'model-auth', provider: 'demo', status: 401, detail } }), 'demo-translate')
  return defineAgent({ name: 'translator', description: 'Fails: its key was revoked.', model })
}

function defineArchivist(delayMs: number): Agent {
  const model = demoModel(({ questions }) => `Noted. That is note ${questions}.`, 'demo-small', delayMs)
  return defineAgent({
    name: 'archivist',
    description: 'Keeps notes in one long conversation.',
    model,
    context: summarize({ maxMessages: 10, keepRecentTurns: 1, model: demoModel(() => 'Five notes about a harbour.', 'demo-small') }),
  })
}

function defineReport(delayMs: number): Agent {
  const researcher = defineResearcher(delayMs)
  const writer = defineAgent({ name: 'writer', model: demoModel(() => 'A short report with two findings.', 'demo-large', delayMs) })
  return defineWorkflow(
    {
      name: 'report',
      description: 'Researches each topic and writes a report.',
      inputs: { topics: {} },
      steps: [
        {
          type: 'map',
          name: 'findings',
          over: 'topics',
          as: 'topic',
          steps: [{ type: 'agent', name: 'look', agent: 'researcher', prompt: '{{topic}}' }],
        },
        { type: 'agent', name: 'write', agent: 'writer', prompt: 'Write a report: {{steps.findings.output}}' },
      ],
    },
    { agents: [researcher, writer] },
  )
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, ms)
  })
}
