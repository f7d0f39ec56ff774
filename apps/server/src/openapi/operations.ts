import type * as z from 'zod'
import { RUNS_ROUTES } from '../routes/runs-api/runs-routes.ts'

/** One operation of the HTTP API. */
export interface Operation {
  readonly method: 'get' | 'post' | 'delete'
  readonly path: string
  readonly summary: string
  /** Query parameters and their types. @default none */
  readonly query?: Readonly<Record<string, 'integer' | 'string' | 'boolean'>> | undefined
  /** Schema of the request body, or the name of one; `''` means any object. @default none: the request has no body */
  readonly body?: string | z.ZodType | undefined
  readonly answer: {
    readonly description: string
    readonly types: readonly string[]
    readonly schema?: string | undefined
  }
  /** Whether the operation works without an API key. @default false */
  readonly open?: boolean | undefined
}

const JSON_TYPE = 'application/json'
const SSE_TYPE = 'text/event-stream'
const stream = { description: 'The stream of the response.', types: [SSE_TYPE] }
const response = { description: 'The response.', types: [JSON_TYPE], schema: 'AgentResponse' }
const either = { description: 'A stream, or the whole response if `stream` is false.', types: [SSE_TYPE, JSON_TYPE] }
const json = (description: string) => ({ description, types: [JSON_TYPE] })
const status = json('`status` is `ok`.')

/** Every operation of the server. */
export const OPERATIONS: readonly Operation[] = [
  { method: 'post', path: '/process', summary: 'Run an agent.', body: 'AgentRequest', answer: either },
  { method: 'get', path: '/process/{id}', summary: 'Get a response.', answer: response },
  {
    method: 'get',
    path: '/process/{id}/events',
    summary: 'Stream a response, from the event after `starting_after`.',
    query: { starting_after: 'integer' },
    answer: stream,
  },
  { method: 'post', path: '/process/{id}/cancel', summary: 'Cancel a run.', answer: json('The final status.') },
  { method: 'get', path: '/process/{id}/approvals', summary: 'List pending approvals.', answer: json('Approvals.') },
  {
    method: 'post',
    path: '/process/{id}/approvals/{approvalId}',
    summary: 'Decide about a tool call.',
    body: 'Decision',
    answer: either,
  },
  { method: 'get', path: '/sessions', summary: 'List sessions.', answer: json('Sessions, newest first.') },
  { method: 'get', path: '/sessions/{id}', summary: 'Get a session.', answer: json('The session and its messages.') },
  { method: 'get', path: '/v1/models', summary: 'List the agents.', answer: json('The agents as OpenAI models.') },
  { method: 'get', path: '/v1/models/{id}', summary: 'Get an agent.', answer: json('The agent as an OpenAI model.') },
  {
    method: 'post',
    path: '/v1/chat/completions',
    summary: 'Create an OpenAI chat completion.',
    body: '',
    answer: either,
  },
  { method: 'post', path: '/v1/responses', summary: 'Create an OpenAI response.', body: '', answer: either },
  {
    method: 'get',
    path: '/v1/responses/{id}',
    summary: 'Get an OpenAI response or its stream, from the event after `starting_after`.',
    query: { stream: 'boolean', starting_after: 'integer' },
    answer: { ...either, description: 'The response, or its stream if `stream` is true.' },
  },
  {
    method: 'delete',
    path: '/v1/responses/{id}',
    summary: 'Delete an OpenAI response and its run.',
    answer: json('`deleted` is true.'),
  },
  {
    method: 'get',
    path: '/v1/responses/{id}/input_items',
    summary: 'List the input items of an OpenAI response.',
    query: { limit: 'integer', order: 'string', after: 'string' },
    answer: json('A page of items, newest first.'),
  },
  {
    method: 'post',
    path: '/v1/responses/{id}/cancel',
    summary: 'Cancel an OpenAI response.',
    answer: json('The response.'),
  },
  { method: 'post', path: '/ag-ui', summary: 'Run an agent over AG-UI.', body: '', answer: stream },
  { method: 'post', path: '/ag-ui/{agent}', summary: 'Run a named agent over AG-UI.', body: '', answer: stream },
  { method: 'post', path: '/api/chat', summary: 'Run an agent for an AI SDK chat.', body: '', answer: stream },
  {
    method: 'post',
    path: '/api/chat/{agent}',
    summary: 'Run a named agent for an AI SDK chat.',
    body: '',
    answer: stream,
  },
  {
    method: 'get',
    path: '/api/chat/{id}/stream',
    summary: 'Stream the answer that an AI SDK chat is waiting for; 204 if there is none.',
    answer: stream,
  },
  {
    method: 'get',
    path: '/api/chat/{agent}/{id}/stream',
    summary: 'The same, for a chat whose address names an agent.',
    answer: stream,
  },
  {
    method: 'get',
    path: '/api/chat/{id}/messages',
    summary: 'List the messages of an AI SDK chat.',
    answer: json('The messages, oldest first, of the type `UIMessage` of the AI SDK.'),
  },
  {
    method: 'get',
    path: '/api/chat/{agent}/{id}/messages',
    summary: 'The same, for a chat whose address names an agent.',
    answer: json('The messages, oldest first.'),
  },
  { method: 'get', path: '/openapi.json', summary: 'Get this document.', answer: json('An OpenAPI 3.1 document.') },
  { method: 'get', path: '/health', summary: 'Check whether the server accepts runs.', answer: status, open: true },
  { method: 'get', path: '/readyz', summary: 'Check whether the server accepts runs.', answer: status, open: true },
  { method: 'get', path: '/livez', summary: 'Check whether the process answers.', answer: status, open: true },
]

/** Every operation of the Runs API. */
export const RUNS_OPERATIONS: readonly Operation[] = RUNS_ROUTES.map(route => {
  const { method, path, summary, query, body, answer, access } = route
  const types = [path.endsWith('/events') ? SSE_TYPE : JSON_TYPE]
  const described = `${summary} Requires the access \`${access}\`.`
  return { method, path, summary: described, query, body, answer: { description: answer, types } }
})
