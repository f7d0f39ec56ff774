import type { Caller } from './access/caller.ts'

/** What the middleware leaves for the routes. */
export interface ServerEnv {
  readonly Variables: { caller: Caller; requestId: string }
}
