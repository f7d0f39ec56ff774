// Deep: it starts a Restate server.
import type { Store } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { openSqliteStore } from '@parley/sqlite'
import { createRestateClient, createRestateHost, type RestateHost } from '@parley/restate'
import { describeHostContract, type HostAgent, type HostProcess, type HostWorker } from '@parley/testing/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isWithoutRestate, notTriedOnRestate } from './__fixtures__/not-tried-on-restate.ts'
import { startRestate, type RestateServer } from './__fixtures__/start-restate.ts'

// The workers of one test share an address, so that each can continue the runs of the one before.
const ports = new WeakMap<readonly HostAgent[], number>()
const OPEN_STATUSES: readonly (string | undefined)[] = [undefined, 'running']

it.runIf(isWithoutRestate)('a Restate server is installed', notTriedOnRestate)

describe.skipIf(isWithoutRestate)('a Restate server', () => {
  let server: RestateServer
  beforeAll(async () => {
    server = await startRestate()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  describeHostContract('a worker of a real Restate server', {
    createStore: () => openSqliteStore({ path: ':memory:' }),
    startWorker: process => startWorker(server, process),
    async runWithoutHost({ agents, store }, { agent, input, ...order }) {
      await createRuntime({ agents: agents.map(defineAgent), store }).run(agent, input, order).result
    },
  })
})

async function startWorker(server: RestateServer, { agents, store }: HostProcess): Promise<HostWorker> {
  const host = createRestateHost({ store, agents: agents.map(agent => defineAgent(agent)) })
  await listen(server, host, agents)
  const client = createRestateClient({ ingress: server.ingress, store })
  const released = Promise.withResolvers<void>()
  return {
    async start({ agent, input, ...order }) {
      await client.start(agent, input, order)
      await Promise.race([untilLeft(store, order.runId), released.promise])
    },
    resume: runId => untilLeft(store, runId),
    async decide(runId, approvalId, decision) {
      await (await client.run(runId)).decide(approvalId, { decision })
      await (await client.run(runId)).result()
    },
    async cancel(runId, reason) {
      await (await client.run(runId)).cancel(reason)
    },
    async release() {
      await host.close({ drainMs: 0 })
      released.resolve()
    },
  }
}

async function listen(server: RestateServer, host: RestateHost, agents: readonly HostAgent[]): Promise<void> {
  const known = ports.get(agents)
  const { port } = await host.listen({ port: known ?? 0, reusePort: true })
  if (known === undefined) await server.register(`http://127.0.0.1:${port}`)
  ports.set(agents, port)
}

/** Resolves when the run has ended or is suspended. */
async function untilLeft(store: Store, runId: string): Promise<void> {
  const isOpen = async (): Promise<boolean> => OPEN_STATUSES.includes((await store.run(runId))?.status)
  await vi.waitFor(async () => expect(await isOpen()).toBe(false), { timeout: 30_000, interval: 10 })
}
