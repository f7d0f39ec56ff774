import { Hono } from 'hono'
import { expect, it } from 'vitest'
import type { ServerEnv } from '../access/client.ts'
import { everyRoute } from '../__fixtures__/every-route.ts'
import type { ServerContext } from '../state/server-context.ts'
import { addHealthRoutes } from './health.ts'
import { addRoutes } from './add-routes.ts'

const IDS = { runId: 'run', sessionId: 'session', approvalId: 'approval' }

/** The routes that the server adds, as `METHOD /path/{id}`. Without those that refuse every request (`addNotOfferedRoutes`). */
function routesOfServer(): readonly string[] {
  const app = new Hono<ServerEnv>()
  // A route reads the context of the server when a request arrives.
  const server = {} as ServerContext
  addHealthRoutes(app, server)
  addRoutes(app, server)
  const offered = app.routes.filter(({ method }) => method !== 'ALL')
  const names = offered.flatMap(({ method, path }) => withoutOptional(path).map(each => `${method} ${each}`))
  return [...new Set(names.map(name => name.replaceAll(/:(\w+)/g, '{$1}')))]
}

/** A path whose last part is optional is two paths. */
function withoutOptional(path: string): readonly string[] {
  return path.endsWith('?') ? [path.slice(0, -1), path.replace(/\/:\w+\?$/, '')] : [path]
}

it('everyRoute, with which the tests of scopes and leaks try each route, has a case for every route of the server', () => {
  const tried = everyRoute(IDS).map(({ name }) => name.replace(/\?.*/, ''))
  expect([...new Set(tried)].toSorted()).toEqual(routesOfServer().toSorted())
})

it('everyRoute sends a body to every route that reads one', () => {
  const bare = everyRoute(IDS).filter(({ name, init }) => name.startsWith('POST') && init.json === undefined)
  expect(bare.map(({ name }) => name)).toEqual(['POST /process/{id}/cancel', 'POST /v1/responses/{id}/cancel'])
})
