import { agentErrorSchema, agentRequestSchema, agentResponseSchema } from '@parley/agent-api/schema'
import type { Hono } from 'hono'
import * as z from 'zod'
import type { ServerEnv } from '../access/client.ts'
import { decisionSchema } from '../routes/agent-api/decision-schema.ts'
import type { ServerContext } from '../state/server-context.ts'
import { OPERATIONS, RUNS_OPERATIONS, type Operation } from './operations.ts'

const problemSchema = z.object({ error: agentErrorSchema.extend({ request_id: z.string() }) })

/** Adds `GET /openapi.json`. */
export function addOpenApiRoute(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get('/openapi.json', context => context.json(openApiDocument(server.hasKeys)))
}

/** Describes the server as an OpenAPI 3.1 document. The schemas are those that validate its requests. */
function openApiDocument(hasKeys: boolean): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of [...OPERATIONS, ...RUNS_OPERATIONS]) {
    const { path, method } = operation
    paths[path] = { ...paths[path], [method]: toOperation(operation) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Parley', version: '1', description: 'Agents over HTTP.' },
    ...(hasKeys ? { security: [{ bearer: [] }] } : {}),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        AgentRequest: toSchema(agentRequestSchema, 'input'),
        AgentResponse: toSchema(agentResponseSchema, 'output'),
        Decision: toSchema(decisionSchema, 'input'),
        Problem: toSchema(problemSchema, 'output'),
      },
    },
  }
}

function toOperation({ summary, path, query = {}, body, answer, open = false }: Operation): object {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const inQuery = Object.entries(query).map(([name, type]) => ({ name, in: 'query', schema: { type } }))
  const parameters = [...inPath, ...inQuery]
  const content = { 'application/json': { schema: schemaOf(body) } }
  return {
    summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content } }),
    ...(open ? { security: [] } : {}),
    responses: {
      200: {
        description: answer.description,
        content: Object.fromEntries(answer.types.map(type => [type, { schema: schemaOf(answer.schema) }])),
      },
      default: {
        description: 'The request was rejected.',
        content: { 'application/json': { schema: schemaOf('Problem') } },
      },
    },
  }
}

function schemaOf(name: string | z.ZodType | undefined): object {
  if (typeof name === 'object') return toSchema(name, 'input')
  return name === undefined || name === '' ? { type: 'object' } : { $ref: `#/components/schemas/${name}` }
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...document } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return document
}
