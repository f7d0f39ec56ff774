import { randomUUID } from 'node:crypto'
import { defineTool, type Store, type Tool, type ToolContext } from '@parley/core'
import { defineAgent, type Agent } from '@parley/engine'
import { openPostgresLiveBus, openPostgresStore } from '@parley/postgres'
import { createRestateClient, createRestateHost, type HostedRun } from '@parley/restate'
import { scriptedModel, type Script } from '@parley/testing'
import { dropSchema } from './drop-schema.ts'
import type { RestateServer } from './start-restate.ts'

export interface PlaceOptions {
  readonly server: RestateServer
  readonly url: string
  /** The answers of the model of agent `a`. */
  readonly script: Script
  /** Fields of the tool `pay` that replace its defaults. */
  readonly tool?: Partial<Tool> | undefined
  /** More fields of agent `a`. */
  readonly agent?: ((pay: Tool) => Partial<Agent>) | undefined
  /** More agents of the worker. */
  readonly others?: ((pay: Tool) => readonly Agent[]) | undefined
}

/** Opens a worker in this process with an agent `a` and its tool `pay`, together with a client and a store. */
export async function openPlace({ server, url, script, tool, agent, others }: PlaceOptions) {
  const schema = `restate_${randomUUID().slice(0, 8)}`
  const store = await openPostgresStore({ url, schema })
  const live = openPostgresLiveBus({ url, schema })
  const paid: string[] = []
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { type: 'object' },
    execute: (_: unknown, { idempotencyKey }: ToolContext) => {
      paid.push(idempotencyKey)
      return 'paid'
    },
    ...tool,
  })
  const model = scriptedModel(script)
  const agents = [defineAgent({ name: 'a', model, tools: [pay], ...agent?.(pay) }), ...(others?.(pay) ?? [])]
  const host = createRestateHost({ store, live, agents })
  const { port } = await host.listen({ port: 0, reusePort: true })
  await server.register(`http://127.0.0.1:${port}`)
  const client = createRestateClient({ ingress: server.ingress, store, live })
  return {
    store,
    host,
    /** Starts another worker at the same address. */
    joinHost: async () => {
      const other = createRestateHost({ store, live, agents })
      await other.listen({ port, reusePort: true })
      return other
    },
    client,
    model,
    paid,
    [Symbol.asyncDispose]: async () => {
      await host.close()
      await live[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
      await dropSchema(url, schema)
    },
  }
}

/** Waits for the first approval request of the run and returns its id. */
export async function requested(run: HostedRun): Promise<string> {
  for await (const event of run.events()) if (event.type === 'approval.requested') return event.request.approvalId
  throw new Error('the run requested no approval')
}

/** Resolves when the journal of the run has an entry of the type. */
export async function untilEntry(run: HostedRun, type: string): Promise<void> {
  for await (const event of run.events()) if (event.type === type) return
  throw new Error(`the run ended without ${type}`)
}

/** Counts the entries of the run by type. */
export async function countEntries(store: Store, { runId }: HostedRun): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  for (const { type } of await store.read(runId)) counts[type] = (counts[type] ?? 0) + 1
  return counts
}
