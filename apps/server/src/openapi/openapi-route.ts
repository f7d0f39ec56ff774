import type { Hono } from 'hono'
import { openApiDocument } from './openapi-document.ts'
import type { ServerContext } from '../state/server-context.ts'
import type { ServerEnv } from '../access/server-env.ts'

/** `GET /openapi.json`: what can be asked, as an OpenAPI document. */
export function addOpenApiRoute(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get('/openapi.json', context => context.json(openApiDocument(server.hasKeys)))
}
