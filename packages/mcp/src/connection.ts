import type { Client } from '@modelcontextprotocol/client'
import type { ServerLink } from './server-link.ts'

/** A server that has shaken hands. */
export interface Connection {
  readonly client: Client
  readonly link: ServerLink
  /** Requests that have no answer yet. */
  readonly pending: Set<Promise<unknown>>
}
