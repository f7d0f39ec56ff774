import { ParleyError } from '@parley/core'
import type { Context, Hono } from 'hono'
import type { ServerEnv } from '../../access/client.ts'
import { hasAccess } from '../../access/runs-access.ts'
import { checkId } from '../../limits/check-id.ts'
import { parseJson, readText } from '../../limits/read-json.ts'
import type { ServerLimits } from '../../limits/server-limits.ts'
import { Problem } from '../../problem/problem.ts'
import type { ServerContext } from '../../state/server-context.ts'
import { RUNS_ROUTES } from './runs-routes.ts'
import type { RunsRequest, RunsRoute } from './runs-route.ts'

/** Adds the routes of the Runs API. Each checks the access of the client before anything else. */
export function addRunsApiRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  for (const route of RUNS_ROUTES) {
    app.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), async context => {
      checkAccess(route, context)
      const answer = await route.handle(await toRequest(route, server, context))
      return answer instanceof Response ? answer : context.json(answer, route.status ?? 200)
    })
  }
}

/** @throws Problem 403. It says what the client would need. */
function checkAccess({ access: needed }: RunsRoute, context: Context<ServerEnv>): void {
  const { access } = context.get('client')
  if (hasAccess(access, needed)) return
  const has = access === undefined ? 'has no access to the Runs API' : `has the access '${access}'`
  const message = `This request requires the access '${needed}'. The client ${has}; the operator of the server gives it.`
  throw new Problem(403, 'PERMISSION_DENIED', { message })
}

async function toRequest(route: RunsRoute, server: ServerContext, context: Context<ServerEnv>): Promise<RunsRequest> {
  return {
    server,
    context,
    client: context.get('client'),
    body: route.body === undefined ? undefined : parseBody(route.body, await bodyOf(context, server.limits)),
    param(name) {
      const value = context.req.param(name) ?? ''
      checkId(name, value)
      return value
    },
    query(name) {
      const value = context.req.query(name)
      return value === '' ? undefined : value
    },
  }
}

/** Reads a JSON body. Verbs whose fields are all optional need none. */
async function bodyOf(context: Context<ServerEnv>, limits: ServerLimits): Promise<unknown> {
  const text = await readText(context.req.raw, limits.maxBodyBytes)
  return text === '' ? {} : parseJson(text, limits)
}

function parseBody(schema: NonNullable<RunsRoute['body']>, body: unknown): unknown {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = issue?.path.join('.') || 'the body'
  throw new ParleyError({ code: 'request-invalid', path, detail: issue?.message ?? 'is invalid' })
}
