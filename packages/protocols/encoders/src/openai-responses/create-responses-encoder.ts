import { checkOptions, type OptionKinds, type RunEvent } from '@parley/core'
import { createChatStepEncoder, describeForClients, type RunEncoderOptions } from '../chat/chat-encoder.ts'
import type { RunEncoder } from '../kit/run-encoder.ts'
import type { RunBegin } from '../kit/run-step.ts'
import type { ChatEnding, ChatStep } from '../chat/chat-step.ts'
import type { GivenFields } from './given-fields.ts'
import { OutputItems } from './output-items.ts'
import { RESPONSE_DEFAULTS, toResponseUsage, type ResponseObject, type ResponsesEvent } from './response-object.ts'

/** Options of `createResponsesEncoder`. */
export interface ResponsesEncoderOptions extends RunEncoderOptions {
  /** The client's name of the model. */
  readonly model: string
  /** Id of the response. @default `responseIdOf` of the run */
  readonly responseId?: string | undefined
  /** Fields of the request that the response repeats. @default the defaults of the API */
  readonly given?: GivenFields | undefined
}

/** An encoder that also contains the response so far. */
export interface ResponsesEncoder extends RunEncoder<ResponsesEvent> {
  /** The response so far. `undefined` before its first event. */
  readonly response: ResponseObject | undefined
}

/** Returns the id of the response that contains a whole run. */
export function responseIdOf(runId: string): string {
  return `resp_${runId}`
}

const OPTIONS: OptionKinds<ResponsesEncoderOptions> = {
  model: 'string!',
  responseId: 'string',
  given: 'object',
  describe: 'function',
  prior: 'list',
  now: 'function',
}

/**
 * Creates an encoder for the events of one response. Calls of the agent's tools are `mcp_call` items, because clients
 * do not run those themselves; calls that the client executes are `function_call` items. A run that is suspended for
 * approval completes its response with `mcp_approval_request` items.
 */
export function createResponsesEncoder(options: ResponsesEncoderOptions): ResponsesEncoder {
  checkOptions('createResponsesEncoder', options, OPTIONS)
  const { model, responseId, given = {}, describe = describeForClients } = options
  let response: ResponseObject | undefined
  let number = 0
  const send = (type: string, fields: object): ResponsesEvent => ({ type, sequence_number: number++, ...fields })
  const items = new OutputItems(send)

  function begin(step: Pick<RunBegin, 'runId' | 'agent' | 'at'>): readonly ResponsesEvent[] {
    response = {
      ...RESPONSE_DEFAULTS,
      ...given,
      id: responseId ?? responseIdOf(step.runId),
      object: 'response',
      status: 'in_progress',
      model,
      created_at: Math.floor(step.at / 1e3),
      completed_at: null,
      error: null,
      incomplete_details: null,
      output: [],
      previous_response_id: given.previous_response_id ?? null,
      usage: null,
    }
    items.begin(step.runId, step.agent === '' ? model : step.agent)
    return [send('response.created', { response }), send('response.in_progress', { response })]
  }

  function end({ ending, usage, at }: Extract<ChatStep, { type: 'end' }>): readonly ResponsesEvent[] {
    const opening = response === undefined ? begin({ runId: 'none', agent: '', at }) : []
    const calls = ending.status === 'suspended' ? items.addCalls(ending.clientCalls) : []
    const closing = [...calls, ...items.endAll()]
    const { status, error = null, reason } = endOf(ending, describe)
    response = {
      ...(response as ResponseObject),
      status,
      error,
      output: [...items.output],
      usage: toResponseUsage(usage),
      completed_at: status === 'completed' ? Math.floor(at / 1e3) : null,
      incomplete_details: reason === undefined ? null : { reason },
    }
    // The API has no event type for a cancelled response.
    const type = status === 'cancelled' ? 'failed' : status
    return [...opening, ...closing, send(`response.${type}`, { response })]
  }

  const encoder = createChatStepEncoder(step => {
    if (step.type === 'begin') return begin(step)
    return step.type === 'end' ? end(step) : items.write(step)
  }, options)
  return new ResponseEncoder(encoder, () =>
    response === undefined ? undefined : { ...response, output: items.output },
  )
}

class ResponseEncoder implements ResponsesEncoder {
  readonly #encoder: RunEncoder<ResponsesEvent>
  readonly #readResponse: () => ResponseObject | undefined

  constructor(encoder: RunEncoder<ResponsesEvent>, readResponse: () => ResponseObject | undefined) {
    this.#encoder = encoder
    this.#readResponse = readResponse
  }

  get ended(): boolean {
    return this.#encoder.ended
  }

  get response(): ResponseObject | undefined {
    return this.#readResponse()
  }

  push(event: RunEvent): readonly ResponsesEvent[] {
    return this.#encoder.push(event)
  }

  end(error?: unknown): readonly ResponsesEvent[] {
    return this.#encoder.end(error)
  }
}

interface ResponseEnd {
  readonly status: 'completed' | 'incomplete' | 'failed' | 'cancelled'
  readonly error?: ResponseObject['error']
  readonly reason?: string
}

function endOf(ending: ChatEnding, describe: NonNullable<RunEncoderOptions['describe']>): ResponseEnd {
  switch (ending.status) {
    case 'completed':
      if (ending.finish === 'length') return { status: 'incomplete', reason: 'max_output_tokens' }
      return ending.finish === 'content-filter'
        ? { status: 'incomplete', reason: 'content_filter' }
        : { status: 'completed' }
    case 'suspended':
      return { status: 'completed' }
    case 'limit':
      return { status: 'incomplete', reason: describe(ending.error).message }
    case 'cancelled':
      return { status: 'cancelled', error: describe(ending.error) }
    case 'failed':
    case 'rejected':
      return { status: 'failed', error: describe(ending.error) }
  }
}
