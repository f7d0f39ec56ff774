import type { Client } from './client.ts'

/** What the middleware leaves for the routes. */
export interface ServerEnv {
  readonly Variables: { client: Client; requestId: string }
}
