import { OPERATIONS } from '../openapi/operations.ts'
import { RUNS_ROUTES } from '../routes/runs-api/runs-routes.ts'
import { ask } from './sse.ts'

/** Ids that stand in the addresses of one client's resources. */
export interface RouteIds {
  readonly runId: string
  readonly sessionId: string
  readonly approvalId: string
}

/** A request for one route. */
export interface RouteRequest {
  readonly name: string
  readonly path: string
  readonly init: { readonly method?: string; readonly json?: object }
}

const chat = { model: 'guide', messages: [{ role: 'user', content: 'go' }] }

/** Bodies of the routes that accept one, by address. */
const BODIES: Readonly<Record<string, (ids: RouteIds) => readonly object[]>> = {
  '/process': () => [ask('go'), ask('go', { stream: false }), ask('go', { background: true })],
  '/process/{id}/approvals/{approvalId}': () => [{ approve: true }],
  '/v1/chat/completions': () => [chat, { ...chat, stream: true }],
  '/v1/responses': ({ runId }) => [
    { input: 'go' },
    { input: 'go', stream: true },
    { input: 'go', previous_response_id: `resp_${runId}` },
  ],
  '/ag-ui': () => [{ threadId: 't1', runId: 'r', messages: [{ id: 'q', role: 'user', content: 'go' }] }],
  '/api/chat': () => [{ id: 'c1', messages: [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'go' }] }] }],
}

/** Bodies of the runs API that must have fields. */
const RUNS_BODIES: Readonly<Record<string, object>> = {
  '/runs': { agent: 'guide', input: 'go' },
  '/runs/{id}/steer': { message: 'go' },
  '/runs/{id}/follow-up': { message: 'go' },
  '/runs/{id}/results': { callId: 'call', output: 'x' },
  '/approvals/{id}': { decision: { type: 'approved' } },
  '/unknown-calls/{runId}/{callId}': { tookEffect: true, note: 'seen' },
}

/** Makes the requests for every operation of the server, with the ids in the addresses. Removals come last. */
export function everyRoute(ids: RouteIds): readonly RouteRequest[] {
  const requests = OPERATIONS.flatMap(({ method, path }): RouteRequest[] => {
    const address = addressOf(path, ids)
    const name = `${method.toUpperCase()} ${path}`
    const bodies = BODIES[path] ?? BODIES[path.replace(/\/\{agent\}$/, '')]
    if (bodies === undefined) return [{ name, path: address, init: { method: method.toUpperCase() } }]
    return bodies(ids).map(json => ({ name, path: address, init: { json } }))
  })
  const runs = RUNS_ROUTES.map(({ method, path }): RouteRequest => {
    const address = path.replace('{id}', path.startsWith('/approvals') ? ids.approvalId : ids.runId).replace('{runId}', ids.runId).replace('{turn}', '1')
    const name = `${method.toUpperCase()} ${path}`
    const json = RUNS_BODIES[path] ?? {}
    return { name, path: address.replace('{callId}', 'call'), init: method === 'post' ? { json } : {} }
  })
  const streamed = { name: 'GET /v1/responses/{id}?stream', path: `/v1/responses/resp_${ids.runId}?stream=true`, init: {} }
  return [...requests, ...runs, streamed].toSorted((a, b) => rank(a.name) - rank(b.name))
}

/** Reading does not change a run, cancelling ends it, removing it comes last. */
function rank(name: string): number {
  if (name.startsWith('DELETE') || name.endsWith('/prune')) return 3
  return name.endsWith('/cancel') ? 2 : Number(name.startsWith('POST'))
}

function addressOf(path: string, { runId, sessionId, approvalId }: RouteIds): string {
  const isSession = path.startsWith('/sessions') || path.startsWith('/api/chat/')
  const id = isSession ? sessionId : path.startsWith('/v1/models') ? 'guide' : runId
  const written = path.startsWith('/v1/responses') ? `resp_${id}` : id
  return path.replace('{id}', written).replace('{approvalId}', approvalId).replace('{agent}', 'guide')
}
