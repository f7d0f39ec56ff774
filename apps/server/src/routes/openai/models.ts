import type { Hono } from 'hono'
import type { ServerEnv } from '../../access/client.ts'
import { checkAgent } from '../../runs/find-agent.ts'
import type { ServerContext } from '../../state/server-context.ts'

/** Adds `/v1/models`, which lists the agents. A request selects one by sending its id as `model`. */
export function addModelsRoute(app: Hono<ServerEnv>, server: ServerContext): void {
  const modelOf = (id: string) => ({ id, object: 'model', created: 0, owned_by: 'parley' })
  app.get('/v1/models', context => context.json({ object: 'list', data: server.agents.names.map(modelOf) }))
  app.get('/v1/models/:id', context => {
    const id = context.req.param('id')
    checkAgent(server, id)
    return context.json(modelOf(id))
  })
}
