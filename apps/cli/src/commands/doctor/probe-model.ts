import { ParleyError, userMessage, type Model, type ModelEvent, type ModelRequest } from '@parley/core'

const LONGEST_MS = 60_000
const REQUEST: ModelRequest = { system: [], messages: [], tools: [], settings: { maxOutputTokens: 200 } }
const TOOL = {
  name: 'report_ready',
  description: 'Reports that you are ready.',
  inputSchema: { type: 'object', properties: { ready: { type: 'boolean' } }, required: ['ready'] },
} as const

/** Asks for one word, and says how the answer came. @throws ParleyError when none came. */
export async function probeAnswer(model: Model): Promise<string> {
  const { id } = model
  const events = await ask(model, { ...REQUEST, messages: [userMessage('Answer with the one word: ready')] })
  const text = events.map(event => (event.type === 'text.delta' ? event.text : '')).join('')
  const facts = [`${id} answers in a stream`]
  if (events.some(event => event.type === 'reasoning.delta')) facts.push('with its reasoning apart')
  facts.push(events.some(event => event.type === 'usage') ? 'with token counts' : 'without token counts')
  if (/^\s*<think>/.test(text)) facts.push("with its reasoning in the text: set quirks.thinkTags to 'split'")
  return facts.join(', ')
}

/** Has the model call a tool. @throws ParleyError when it does not, or writes arguments that cannot be read. */
export async function probeTools(model: Model): Promise<string> {
  const messages = [userMessage('Call the tool report_ready with ready set to true. Do not answer in words.')]
  const events = await ask(model, { ...REQUEST, messages, tools: [TOOL] })
  const call = events.find(event => event.type === 'tool-call')
  const refuse = (detail: string): ParleyError =>
    new ParleyError({ code: 'model-unsupported', provider: model.provider, model: model.id, detail })
  if (call === undefined) throw refuse('It was told to call a tool and did not: agents with tools need another model.')
  if (!isObjectText(call.arguments)) throw refuse(`It called a tool with what is no JSON object: ${call.arguments}`)
  return `${model.id} calls a tool when it is told to`
}

async function ask(model: Model, request: ModelRequest): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of model.stream(request, { signal: AbortSignal.timeout(LONGEST_MS) })) events.push(event)
  return events
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}
