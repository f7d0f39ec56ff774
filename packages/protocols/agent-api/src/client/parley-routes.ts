import { ParleyError } from '@parley/core'
import type * as z from 'zod'
import type { JsonObject } from '../schema/json-object.ts'
import type { AgentStream } from '../stream/read-agent-stream.ts'
import type { AgentClient, ProcessOptions } from './agent-client.ts'

/** The URLs and functions with which the client sends requests to the routes of a Parley server. */
export interface RouteWire {
  readonly root: string
  /** URL of `/process`. */
  readonly url: string
  read(to: string, signal: AbortSignal | undefined): Promise<JsonObject>
  stream(to: string, body: JsonObject, options: ProcessOptions): Promise<AgentStream>
}

/** The schemas are loaded when they are used, because importing the client must not load zod. */
const sessionSchemas = () => import('../schema/agent-session.ts')

/** The routes that a Parley server has besides the protocol. */
export function parleyRoutes({
  root,
  url,
  read,
  stream,
}: RouteWire): Pick<AgentClient, 'approvals' | 'decide' | 'sessions' | 'session'> {
  const approvalsOf = (responseId: string): string => `${url}/${encodeURIComponent(responseId)}/approvals`

  async function get<TSchema extends z.ZodType>(
    schema: TSchema,
    to: string,
    signal: AbortSignal | undefined,
  ): Promise<z.output<TSchema>> {
    const parsed = schema.safeParse(await read(to, signal))
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    const detail = `the response is invalid at ${issue?.path.join('.') || 'its top level'}: ${issue?.message ?? ''}`
    throw new ParleyError({ code: 'agent-request-failed', url: to, detail })
  }

  return {
    async approvals(responseId, { signal } = {}) {
      const { pendingApprovalsSchema } = await import('../schema/pending-approval.ts')
      return (await get(pendingApprovalsSchema, approvalsOf(responseId), signal)).data
    },
    decide: (responseId, approvalId, { decision, ...options }) =>
      stream(`${approvalsOf(responseId)}/${encodeURIComponent(approvalId)}`, { ...decision, stream: true }, options),
    async sessions({ signal } = {}) {
      const { agentSessionsSchema } = await sessionSchemas()
      return (await get(agentSessionsSchema, `${root}/sessions`, signal)).data
    },
    async session(sessionId, { signal } = {}) {
      const { agentSessionHistorySchema } = await sessionSchemas()
      return get(agentSessionHistorySchema, `${root}/sessions/${encodeURIComponent(sessionId)}`, signal)
    },
  }
}
