import type { Hono } from 'hono'
import type { ServerEnv } from '../access/client.ts'
import type { ServerContext } from '../state/server-context.ts'

/** Adds `/livez` (the process answers), and `/readyz` and `/health` (the server accepts runs and its store works). */
export function addHealthRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get('/livez', context => context.json({ status: 'ok' }))
  for (const path of ['/health', '/readyz']) {
    app.get(path, async context => {
      const status = await statusOf(server)
      return context.json({ status }, status === 'ok' ? 200 : 503)
    })
  }
}

async function statusOf({ live, store }: ServerContext): Promise<'ok' | 'closing' | 'store-unavailable'> {
  if (live.closing) return 'closing'
  try {
    await store.runs({ scope: '', limit: 1 })
    return 'ok'
  } catch {
    return 'store-unavailable'
  }
}
