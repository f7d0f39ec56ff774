import { checkOptions, totalTokens, type Usage, type OptionKinds } from '@parley/core'
import type { ChatChunk, ChatDelta, ChatFailure, ChatFinish, ChatUsage } from './chat-chunk.ts'
import { createChatStepEncoder, describeForClients, type RunEncoderOptions } from '../chat/chat-encoder.ts'
import { joinCallId } from '../kit/client-tools.ts'
import type { RunEncoder } from '../kit/run-encoder.ts'
import type { ChatEnding, ChatStep } from '../chat/chat-step.ts'

/** Options of `createChatEncoder`. */
export interface ChatEncoderOptions extends RunEncoderOptions {
  /** The client's name of the model. */
  readonly model: string
  /** Whether the last chunk has the usage. @default false */
  readonly includeUsage?: boolean | undefined
}

const NOT_DECIDABLE = {
  code: 'approval_required',
  message: 'A tool call is suspended for approval, and chat completions cannot approve it.',
}

const OPTIONS: OptionKinds<ChatEncoderOptions> = {
  model: 'string!',
  includeUsage: 'boolean',
  describe: 'function',
  prior: 'list',
  now: 'function',
}

/**
 * Creates an encoder for chunks of one chat completion. The answer is all text of the run; calls of the agent's tools
 * are not shown. A run that waits for the client ends with the finish reason
 * `tool_calls`, and the next request with their results continues it. A run that fails, is cancelled or is suspended
 * for approval ends with an error instead of a last chunk.
 */
export function createChatEncoder(options: ChatEncoderOptions): RunEncoder<ChatChunk | ChatFailure> {
  checkOptions('createChatEncoder', options, OPTIONS)
  const { model, includeUsage = false, describe = describeForClients } = options
  let id = 'chatcmpl_none'
  let created = 0
  let runId = ''

  const chunkOf = (choices: ChatChunk['choices'], usage?: ChatUsage): ChatChunk => ({
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    choices,
    ...(includeUsage ? { usage: usage ?? null } : {}),
  })
  const write = (delta: ChatDelta, finish: ChatFinish | null = null): ChatChunk =>
    chunkOf([{ index: 0, delta, logprobs: null, finish_reason: finish }])

  function end(ending: ChatEnding, usage: Usage): readonly (ChatChunk | ChatFailure)[] {
    const finish = finishOf(ending)
    const calls = finish === 'tool_calls' ? [write({ tool_calls: toolCallsOf(ending, runId) })] : []
    if (finish !== undefined)
      return [...calls, write({}, finish), ...(includeUsage ? [chunkOf([], toChatUsage(usage))] : [])]
    const { code, message } = 'error' in ending ? describe(ending.error) : NOT_DECIDABLE
    return [{ error: { message, type: 'server_error', code, param: null } }]
  }

  function tell(step: ChatStep): readonly (ChatChunk | ChatFailure)[] {
    switch (step.type) {
      case 'begin':
        id = `chatcmpl_${step.runId}`
        runId = step.runId
        created = Math.floor(step.at / 1000)
        return [write({ role: 'assistant', content: '' })]
      case 'text':
        return [write({ content: step.text })]
      case 'reasoning':
        return [write({ reasoning_content: step.text })]
      case 'end':
        return end(step.ending, step.usage)
      case 'turn':
      case 'file':
      case 'prose-end':
      case 'call-start':
      case 'call-delta':
      case 'call':
      case 'call-broken':
      case 'progress':
      case 'result':
      case 'approval':
      case 'decision':
      case 'turn-end':
        return []
    }
  }
  return createChatStepEncoder(tell, options)
}

/** Returns the calls that the client executes. Their ids name the run, because requests name no session. */
function toolCallsOf(ending: ChatEnding, runId: string): NonNullable<ChatDelta['tool_calls']> {
  const calls = ending.status === 'suspended' ? ending.clientCalls : []
  return calls.map(({ runId: made = runId, callId, name, input }, index) => ({
    index,
    id: joinCallId(made, callId),
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
}

/** Returns the finish reason; `undefined` for a run without an answer. */
function finishOf(ending: ChatEnding): ChatFinish | undefined {
  if (ending.status === 'limit') return 'length'
  if (ending.status === 'suspended' && ending.approvals.length === 0 && ending.clientCalls.length > 0)
    return 'tool_calls'
  if (ending.status !== 'completed') return undefined
  if (ending.finish === 'length') return 'length'
  return ending.finish === 'content-filter' || ending.finish === 'refusal' ? 'content_filter' : 'stop'
}

function toChatUsage(usage: Usage): ChatUsage {
  return {
    prompt_tokens: usage.input + usage.cacheRead + usage.cacheWrite,
    completion_tokens: usage.output,
    total_tokens: totalTokens(usage),
    prompt_tokens_details: { cached_tokens: usage.cacheRead },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  }
}
