/** A request of a client of the protocol's reference. */
export interface ReferenceRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** A message as the client's user or program writes it. */
export interface ReferenceMessage {
  readonly type: string
  readonly role: 'user' | 'tool'
  readonly content: { readonly type: 'text'; readonly text: string } | { readonly type: 'data'; readonly data: object }
}

export const question = (text: string): ReferenceMessage => ({
  type: 'message',
  role: 'user',
  content: { type: 'text', text },
})

/** The answer to an approval request. Both clients send the id of the request in two fields. */
export const decision = (id: string, approve: boolean, reason: string | null = null): ReferenceMessage => ({
  type: 'mcp_approval_response',
  role: 'user',
  content: { type: 'data', data: { approve, id, approval_request_id: id, reason } },
})

/** The result of a call that the client executed. */
export const output = (callId: string, text: string): ReferenceMessage => ({
  type: 'function_call_output',
  role: 'tool',
  content: { type: 'data', data: { call_id: callId, name: null, output: text } },
})

/**
 * A request of the web UI, as recorded in Chromium. It sends the last message only, an empty key if the user has none, and a
 * status with each part.
 */
export function webUiRequest(message: ReferenceMessage, sessionId: string): ReferenceRequest {
  const { content, ...rest } = message
  return {
    headers: { 'content-type': 'application/json', authorization: 'Bearer ' },
    body: { input: [{ ...rest, content: [{ ...content, status: 'created' }] }], session_id: sessionId, stream: true },
  }
}

/** A tool that the client executes. */
export interface ReferenceTool {
  readonly name: string
  readonly description: string
  readonly parameters: object
}

/** A request of the Python client. Its models write every field, null included. */
export function pythonRequest(
  message: ReferenceMessage,
  sessionId: string,
  tools: readonly ReferenceTool[] | null = null,
): ReferenceRequest {
  const event = { sequence_number: null, status: 'created', error: null }
  const part = { ...event, object: 'content', ...message.content, index: null, delta: false, msg_id: null }
  const input = {
    ...event,
    object: 'message',
    id: 'msg_4f7c2f0e-8b51-4e0b-9a8f-0c1c1f8f2a11',
    type: message.type,
    role: message.role,
    content: [part],
    code: null,
    message: null,
    usage: null,
    metadata: null,
  }
  const sampling = { top_p: null, temperature: null, frequency_penalty: null, presence_penalty: null, max_tokens: null }
  return {
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: {
      input: [input],
      stream: true,
      id: null,
      model: null,
      ...sampling,
      stop: null,
      n: 1,
      seed: null,
      tools: tools?.map(described => ({ type: 'function', function: described })) ?? null,
      session_id: sessionId,
      user_id: null,
    },
  }
}
