import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  CreateMessageResultWithTools,
} from '@modelcontextprotocol/client'
import type { FinishReason, ModelRequest } from '@parley/core'
import type { McpSampling } from './mcp-client-features.ts'
import { toSamplingMessages } from './sampling-messages.ts'
import { invalidParams, toSamplingTools } from './sampling-tools.ts'

export interface AnswerSamplingOptions extends McpSampling {
  readonly server: string
  readonly params: CreateMessageRequestParams
  readonly signal: AbortSignal
}

/** Whether servers may offer tools to the model. */
export function canCallTools({ model }: McpSampling): boolean {
  return model.info.toolCalls !== false
}

/** Asks the model on behalf of a server. Rejects with a message for the server if the request is not allowed. */
export async function answerSampling(
  options: AnswerSamplingOptions,
): Promise<CreateMessageResult | CreateMessageResultWithTools> {
  const { server, params, model, allow = () => true, maxOutputTokens: most = 4_096 } = options
  const { systemPrompt: system, messages, tools = [], toolChoice, temperature, stopSequences } = params
  if (tools.length > 0 && !canCallTools(options)) throw invalidParams(`The model '${model.id}' cannot call tools.`)
  const maxOutputTokens = Math.min(params.maxTokens, most)
  const offered = { ...toSamplingTools(tools, toolChoice), messages: toSamplingMessages(messages) }
  if (!(await allow({ server, system, messages, tools, maxOutputTokens })))
    throw new Error('The user refused the request.')
  const request = {
    system: system === undefined ? [] : [{ text: system }],
    ...offered,
    settings: { maxOutputTokens, temperature, stopSequences },
  }
  return { model: model.id, role: 'assistant', ...(await answerOf(options, request)) }
}

const STOP_REASONS: Partial<Record<FinishReason, string>> = {
  stop: 'endTurn',
  length: 'maxTokens',
  'tool-calls': 'toolUse',
}

type Answer = Pick<CreateMessageResultWithTools, 'content' | 'stopReason'>
type Call = Extract<CreateMessageResultWithTools['content'], { type: 'tool_use' }>

async function answerOf({ model, signal }: AnswerSamplingOptions, request: ModelRequest): Promise<Answer> {
  let text = ''
  let finish: FinishReason = 'other'
  const calls: Call[] = []
  for await (const event of model.stream(request, { signal })) {
    if (event.type === 'text.delta') text += event.text
    else if (event.type === 'tool-call')
      calls.push({ type: 'tool_use', id: event.callId, name: event.name, input: inputOf(event) })
    else if (event.type === 'finish') finish = event.reason
  }
  const stopReason = STOP_REASONS[finish] ?? finish
  // Servers that offer no tools expect one block, which older revisions demand.
  if (calls.length === 0) return { content: { type: 'text', text }, stopReason }
  return { content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls], stopReason }
}

function inputOf({ name, arguments: written }: { readonly name: string; readonly arguments: string }): Call['input'] {
  const input = parseObject(written.trim() === '' ? '{}' : written)
  if (input === undefined) throw new Error(`The model called '${name}' with arguments that are not a JSON object.`)
  return input
}

function parseObject(text: string): Call['input'] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Call['input']) : undefined
  } catch {
    return undefined
  }
}
