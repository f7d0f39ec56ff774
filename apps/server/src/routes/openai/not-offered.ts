import type { Hono } from 'hono'
import type { ServerEnv } from '../../access/client.ts'
import { Problem } from '../../problem/problem.ts'

/** Addresses of the OpenAI API that this server does not offer, and what to use instead. */
const NOT_OFFERED: readonly (readonly [path: string, instead: string])[] = [
  ['/v1/conversations', 'Send `conversation` with a name of your choice to /v1/responses; GET /sessions lists them.'],
  [
    '/v1/conversations/*',
    'Send `conversation` with a name of your choice to /v1/responses; GET /sessions/:id reads it.',
  ],
  ['/v1/responses/input_tokens', 'Each response has the tokens of its input in `usage`.'],
  ['/v1/responses/compact', 'The context policy of the agent compacts its sessions.'],
]

/** Answers the addresses that this server does not offer with 404 and what to use instead. Clients retry 501. */
export function addNotOfferedRoutes(app: Hono<ServerEnv>): void {
  for (const [path, instead] of NOT_OFFERED)
    app.all(path, () => {
      throw new Problem(404, 'NOT_OFFERED', { message: `This server does not offer ${path}. ${instead}` })
    })
}
