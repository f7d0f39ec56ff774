import type { RunRecord } from '@parley/core'
import type { RunsAccess } from '@parley/runs-api'
import type * as z from 'zod'
import type { Context } from 'hono'
import type { Client, ServerEnv } from '../../access/client.ts'
import { notFound, Problem } from '../../problem/problem.ts'
import type { ServerContext } from '../../state/server-context.ts'

/** A request for a route of the Runs API, whose access was checked. */
export interface RunsRequest<TBody = unknown> {
  readonly server: ServerContext
  readonly client: Client
  readonly context: Context<ServerEnv>
  /** The checked body. `undefined` for a route without a body. */
  readonly body: TBody
  /** Returns a part of the address. */
  readonly param: (name: string) => string
  /** Returns a query parameter. `undefined` if it is absent or empty. */
  readonly query: (name: string) => string | undefined
}

/** A route of the Runs API. The server, its OpenAPI document and the tests of access read the routes from one table. */
export interface RunsRoute<TBody = unknown> {
  readonly method: 'get' | 'post'
  /** As in OpenAPI: `/runs/{id}`. */
  readonly path: string
  readonly access: RunsAccess
  readonly summary: string
  readonly query?: Readonly<Record<string, 'integer' | 'string' | 'boolean'>> | undefined
  /** Schema of the body. @default none: a body is ignored */
  readonly body?: z.ZodType<TBody> | undefined
  /** Describes the answer by its type in `@parley/runs-api`. */
  readonly answer: string
  /** Status of the answer. @default 200 */
  readonly status?: 201 | undefined
  readonly handle: (request: RunsRequest<TBody>) => Promise<object>
}

/** Defines a route. Its body has the type of its schema. */
export function defineRunsRoute<TBody = unknown>(route: RunsRoute<TBody>): RunsRoute {
  // `addRunsApiRoutes` checks the body against the schema before it calls the handler.
  return route as RunsRoute
}

/** Finds the run in the address. @throws Problem 404 if it is unknown or belongs to another scope. */
export async function recordOf({ server, client, param }: RunsRequest): Promise<RunRecord> {
  const record = await server.store.run(param('id'))
  if (record?.scope !== client.scope) throw notFound('run')
  return record
}

/** Creates the error 501 for a store that does not have what a route needs. */
export function notSupported(part: string): Problem {
  return new Problem(501, 'NOT_SUPPORTED', { message: `The store of this server has no ${part}.` })
}
