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
  /** What the model says. */
  readonly script: Script
  /** Of the tool `pay`. */
  readonly tool?: Partial<Tool> | undefined
  /** What `a` has besides. */
  readonly agent?: ((pay: Tool) => Partial<Agent>) | undefined
  /** What the worker knows besides. */
  readonly others?: ((pay: Tool) => readonly Agent[]) | undefined
}

/** A worker in this process, with an agent `a` that can pay, a client, and everything they need. */
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
    /** Another worker behind the same address. */
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

/** The id of the first request for approval in the run's journal, as soon as there is one. */
export async function requested(run: HostedRun): Promise<string> {
  for await (const event of run.events()) if (event.type === 'approval.requested') return event.request.approvalId
  throw new Error('nobody was asked')
}

/** Resolves when the run's journal has an entry of the type. */
export async function untilEntry(run: HostedRun, type: string): Promise<void> {
  for await (const event of run.events()) if (event.type === type) return
  throw new Error(`no ${type}`)
}

/** How often each type of entry is in the run's journal. */
export async function countEntries(store: Store, { runId }: HostedRun): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  for (const { type } of await store.read(runId)) counts[type] = (counts[type] ?? 0) + 1
  return counts
}
