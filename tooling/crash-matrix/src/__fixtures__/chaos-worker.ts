import { openPostgresStore } from '@parley/postgres'
import { createRestateHost } from '@parley/restate'
import { chaosAgents } from './chaos-agents.ts'

export interface ChaosOrder {
  readonly url: string
  readonly schema: string
  /** The port that all workers share. */
  readonly port: number
  /** The file that gets a line for each effect of a handler. */
  readonly effects: string
}

const { url, schema, port, effects } = JSON.parse(process.argv[2] ?? '') as ChaosOrder
const store = await openPostgresStore({ url, schema, connections: 8 })
const host = createRestateHost({ store, agents: chaosAgents(effects) })
await host.listen({ port, reusePort: true })
process.send?.('ready')
