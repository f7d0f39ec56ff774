import { ParleyError, userMessage, type Model, type ModelEvent, type ModelRequest } from '@parley/core'

const TIMEOUT_MS = 60_000
const REQUEST: ModelRequest = { system: [], messages: [], tools: [], settings: { maxOutputTokens: 200 } }
const TOOL = {
  name: 'report_ready',
  description: 'Reports that you are ready.',
  inputSchema: { type: 'object', properties: { ready: { type: 'boolean' } }, required: ['ready'] },
} as const

/**
 * Asks the model for one word and describes the form of the answer.
 * @throws ParleyError if the model does not answer.
 */
export async function probeAnswer(model: Model): Promise<string> {
  const { id } = model
  const events = await ask(model, { ...REQUEST, messages: [userMessage('Answer with the one word: ready')] })
  const text = events.map(event => (event.type === 'text.delta' ? event.text : '')).join('')
  const facts = [`${id} streams its answer`]
  if (events.some(event => event.type === 'reasoning.delta')) facts.push('with separate reasoning')
  facts.push(events.some(event => event.type === 'usage') ? 'with token counts' : 'without token counts')
  if (/^\s*<think>/.test(text)) facts.push("with reasoning inside the text: set quirks.thinkTags to 'split'")
  return facts.join(', ')
}

/** Asks the model to call a tool. @throws ParleyError if it calls none, or if the arguments are not a JSON object. */
export async function probeTools(model: Model): Promise<string> {
  const messages = [userMessage('Call the tool report_ready with ready set to true. Do not answer in words.')]
  const events = await ask(model, { ...REQUEST, messages, tools: [TOOL] })
  const call = events.find(event => event.type === 'tool-call')
  const refuse = (detail: string): ParleyError =>
    new ParleyError({ code: 'model-unsupported', provider: model.provider, model: model.id, detail })
  if (call === undefined) throw refuse('It did not call a tool when asked to. Agents with tools require another model.')
  if (!isObjectText(call.arguments))
    throw refuse(`It called a tool with invalid arguments, which must be a JSON object: ${call.arguments}`)
  return `${model.id} calls a tool when asked to`
}

async function ask(model: Model, request: ModelRequest): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of model.stream(request, { signal: AbortSignal.timeout(TIMEOUT_MS) })) events.push(event)
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
