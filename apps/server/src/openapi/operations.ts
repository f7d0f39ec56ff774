/** Something a client can ask for. */
export interface Operation {
  readonly method: 'get' | 'post' | 'delete'
  readonly path: string
  readonly summary: string
  /** What may be in the query. @default nothing */
  readonly query?: Readonly<Record<string, 'integer' | 'string' | 'boolean'>> | undefined
  /** The schema of the body, by name; `''` stands for any object. */
  readonly body?: string | undefined
  readonly answer: {
    readonly description: string
    readonly types: readonly string[]
    readonly schema?: string | undefined
  }
  /** Whether no key is needed. @default false */
  readonly open?: boolean | undefined
}

const JSON_TYPE = 'application/json'
const SSE_TYPE = 'text/event-stream'
const stream = { description: 'The stream of the response.', types: [SSE_TYPE] }
const response = { description: 'The response.', types: [JSON_TYPE], schema: 'AgentResponse' }
const either = { description: 'A stream, or the whole when `stream` is false.', types: [SSE_TYPE, JSON_TYPE] }
const json = (description: string) => ({ description, types: [JSON_TYPE] })
const status = json('`status` is `ok`.')

/** Every operation of the server. */
export const OPERATIONS: readonly Operation[] = [
  { method: 'post', path: '/process', summary: 'Ask an agent.', body: 'AgentRequest', answer: either },
  { method: 'get', path: '/process/{id}', summary: 'A response.', answer: response },
  {
    method: 'get',
    path: '/process/{id}/events',
    summary: 'Its stream, after the event of that number.',
    query: { starting_after: 'integer' },
    answer: stream,
  },
  { method: 'post', path: '/process/{id}/cancel', summary: 'Stop its run.', answer: json('How it ended.') },
  { method: 'get', path: '/process/{id}/approvals', summary: 'What its run waits for.', answer: json('Approvals.') },
  {
    method: 'post',
    path: '/process/{id}/approvals/{approvalId}',
    summary: 'Decide about a call.',
    body: 'Decision',
    answer: either,
  },
  { method: 'get', path: '/sessions', summary: 'Conversations.', answer: json('Sessions, newest first.') },
  { method: 'get', path: '/sessions/{id}', summary: 'What was said in one.', answer: json('A session.') },
  { method: 'get', path: '/v1/models', summary: 'The agents.', answer: json('As OpenAI lists models.') },
  { method: 'get', path: '/v1/models/{id}', summary: 'An agent.', answer: json('As an OpenAI model.') },
  { method: 'post', path: '/v1/chat/completions', summary: 'OpenAI chat completions.', body: '', answer: either },
  { method: 'post', path: '/v1/responses', summary: 'OpenAI Responses.', body: '', answer: either },
  {
    method: 'get',
    path: '/v1/responses/{id}',
    summary: 'A response of them, or its stream, after the event of that number.',
    query: { stream: 'boolean', starting_after: 'integer' },
    answer: { ...either, description: 'The response, or its stream when `stream` is true.' },
  },
  { method: 'delete', path: '/v1/responses/{id}', summary: 'Remove its run.', answer: json('`deleted` is true.') },
  {
    method: 'get',
    path: '/v1/responses/{id}/input_items',
    summary: 'What it was asked.',
    query: { limit: 'integer', order: 'string', after: 'string' },
    answer: json('A page of items, newest first.'),
  },
  { method: 'post', path: '/v1/responses/{id}/cancel', summary: 'Stop its run.', answer: json('The response.') },
  { method: 'post', path: '/ag-ui', summary: 'AG-UI.', body: '', answer: stream },
  { method: 'post', path: '/ag-ui/{agent}', summary: 'AG-UI, with an agent by name.', body: '', answer: stream },
  { method: 'post', path: '/api/chat', summary: 'AI SDK UI messages.', body: '', answer: stream },
  { method: 'post', path: '/api/chat/{agent}', summary: 'The same, with an agent by name.', body: '', answer: stream },
  { method: 'get', path: '/openapi.json', summary: 'This document.', answer: json('OpenAPI 3.1.') },
  { method: 'get', path: '/health', summary: 'Whether runs are taken.', answer: status, open: true },
  { method: 'get', path: '/readyz', summary: 'The same.', answer: status, open: true },
  { method: 'get', path: '/livez', summary: 'Whether the process answers.', answer: status, open: true },
]
