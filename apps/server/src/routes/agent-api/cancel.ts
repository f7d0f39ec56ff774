import type { Hono } from 'hono'
import { cancelRun } from '../../runs/cancel-run.ts'
import type { ServerContext } from '../../state/server-context.ts'
import type { ServerEnv } from '../../access/server-env.ts'

/**
 * `POST /process/:id/cancel`: stops the run behind a response, also one that waits for approval or that another process
 * drives. 202 where that process was told and has not stopped yet.
 */
export function addCancelRoute(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post('/process/:id/cancel', async context => {
    const id = context.req.param('id')
    const status = await cancelRun(server, context.get('client').scope, id)
    return context.json({ id, object: 'response', status: shownAs(status) }, status === 'running' ? 202 : 200)
  })
}

function shownAs(status: Awaited<ReturnType<typeof cancelRun>>): string {
  if (status === 'cancelled') return 'canceled'
  return status === 'running' ? 'in_progress' : status
}
