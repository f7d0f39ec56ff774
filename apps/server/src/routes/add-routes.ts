import type { Hono } from 'hono'
import type { ServerEnv } from '../access/client.ts'
import { addOpenApiRoute } from '../openapi/openapi-document.ts'
import type { ServerContext } from '../state/server-context.ts'
import { addAgUiRoute } from './ag-ui.ts'
import { addApprovalRoutes } from './agent-api/approvals.ts'
import { addCancelRoute } from './agent-api/cancel.ts'
import { addProcessResponseRoutes } from './agent-api/process-responses.ts'
import { addProcessRoute } from './agent-api/process.ts'
import { addSessionRoutes } from './agent-api/sessions.ts'
import { addChatCompletionsRoute } from './openai/chat-completions.ts'
import { addModelsRoute } from './openai/models.ts'
import { addRunsApiRoutes } from './runs-api/add-runs-api-routes.ts'
import { addNotOfferedRoutes } from './openai/not-offered.ts'
import { addOpenAiResponsesRoutes } from './openai/responses.ts'
import { addUiMessagesRoute } from './ui-messages.ts'

const ROUTES = [
  addProcessRoute,
  addProcessResponseRoutes,
  addCancelRoute,
  addApprovalRoutes,
  addSessionRoutes,
  addModelsRoute,
  addChatCompletionsRoute,
  addNotOfferedRoutes,
  addOpenAiResponsesRoutes,
  addAgUiRoute,
  addUiMessagesRoute,
  addRunsApiRoutes,
  addOpenApiRoute,
] as const

/** Adds every route that requires a client. */
export function addRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  for (const add of ROUTES) add(app, server)
}
