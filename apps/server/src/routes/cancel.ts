import type { Hono } from 'hono'
import { cancelRun } from '../runs/cancel-run.ts'
import type { ServerContext } from '../server-context.ts'
import type { ServerEnv } from '../server-env.ts'

/** `POST /process/:id/cancel`: stops the run behind a response, also one that waits for approval. */
export function addCancelRoute(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post('/process/:id/cancel', async context => {
    const id = context.req.param('id')
    const status = await cancelRun(server, context.get('caller').scope, id)
    return context.json({ id, object: 'response', status: status === 'cancelled' ? 'canceled' : status })
  })
}
