import type { CreateMessageRequestParams, CreateMessageResult } from '@modelcontextprotocol/client'
import type { FinishReason, Message, UserPart } from '@parley/core'
import type { McpSampling } from './mcp-client-features.ts'

export interface AnswerSamplingOptions extends McpSampling {
  readonly server: string
  readonly params: CreateMessageRequestParams
  readonly signal: AbortSignal
}

/** Asks the model on behalf of a server. Rejects with a message for the server if the request is not allowed. */
export async function answerSampling({
  server,
  params,
  model,
  allow = () => true,
  maxOutputTokens: most = 4_096,
  signal,
}: AnswerSamplingOptions): Promise<CreateMessageResult> {
  const { systemPrompt: system, messages, temperature, stopSequences } = params
  const maxOutputTokens = Math.min(params.maxTokens, most)
  if (!(await allow({ server, system, messages, maxOutputTokens }))) throw new Error('The user refused the request.')
  const request = {
    system: system === undefined ? [] : [{ text: system }],
    messages: messages.map(message => toMessage(message)),
    tools: [],
    settings: { maxOutputTokens, temperature, stopSequences },
  }
  let text = ''
  let finish: FinishReason = 'other'
  for await (const event of model.stream(request, { signal })) {
    if (event.type === 'text.delta') text += event.text
    else if (event.type === 'finish') finish = event.reason
  }
  return {
    model: model.id,
    role: 'assistant',
    content: { type: 'text', text },
    stopReason: STOP_REASONS[finish] ?? finish,
  }
}

const STOP_REASONS: Partial<Record<FinishReason, string>> = { stop: 'endTurn', length: 'maxTokens' }

type SamplingMessage = CreateMessageRequestParams['messages'][number]
type SamplingBlock = Extract<SamplingMessage['content'], { type: string }>

function toMessage({ role, content }: SamplingMessage): Message {
  const blocks = Array.isArray(content) ? content : [content]
  const parts = blocks.map(block => toPart(block))
  return role === 'user' ? { role, content: parts } : { role, content: parts }
}

function toPart(block: SamplingBlock): UserPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image':
    case 'audio':
      return { type: 'file', mediaType: block.mimeType, source: { type: 'base64', data: block.data } }
    case 'tool_use':
    case 'tool_result':
      // The client does not advertise sampling with tools, but a server may send such blocks anyway.
      throw new Error(`Sampling with '${block.type}' is not supported.`)
  }
}
