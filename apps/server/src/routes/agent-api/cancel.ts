import type { Hono } from 'hono'
import type { ServerEnv } from '../../access/client.ts'
import { cancelRun } from '../../runs/cancel-run.ts'
import type { ServerContext } from '../../state/server-context.ts'

/**
 * Adds `POST /process/:id/cancel`, which cancels the run of a response. The run may be suspended for approval, and
 * another process may drive it. The status is 202 if that process has received the command and has not stopped in time.
 */
export function addCancelRoute(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post('/process/:id/cancel', async context => {
    const id = context.req.param('id')
    const status = await cancelRun(server, context.get('client').scope, id)
    return context.json({ id, object: 'response', status: wireStatusOf(status) }, status === 'running' ? 202 : 200)
  })
}

function wireStatusOf(status: Awaited<ReturnType<typeof cancelRun>>): string {
  if (status === 'cancelled') return 'canceled'
  return status === 'running' ? 'in_progress' : status
}
