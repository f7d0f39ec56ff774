import { createRunsClient, type RunsClient } from '@parley/runs-api'
import { openSqliteStore } from '@parley/sqlite'
import { createRuntime, defineAgent, agentTool } from '@parley/engine'
import { scriptedModel, type Script } from '@parley/testing'
import type { Store } from '@parley/core'
import { hashApiKey } from '../access/api-key.ts'
import { createServerApp, type ServerAppOptions } from '../create-server-app.ts'
import { tools } from './tools.ts'

/** One key for each access, and one without. All have the scope `team`, and `other` a scope of its own. */
const KEYS = [
  { name: 'viewer', scope: 'team', access: 'viewer', roles: ['lead'] },
  { name: 'operator', scope: 'team', access: 'operator', roles: ['lead'] },
  { name: 'admin', scope: 'team', access: 'admin' },
  { name: 'none', scope: 'team' },
  { name: 'other', access: 'admin' },
] as const

export type KeyName = (typeof KEYS)[number]['name']

export interface RunsApiOptions extends Partial<ServerAppOptions> {
  readonly script?: Script | undefined
  readonly store?: Store | undefined
}

/** A server with the agents `guide` and `helper` on SQLite, and a client for each key. */
export async function openRunsApi({ script = ['Hello there.'], store: given, ...options }: RunsApiOptions = {}) {
  const store = given ?? (await openSqliteStore({ path: ':memory:' }))
  const helper = defineAgent({ name: 'helper', description: 'Helps.', model: scriptedModel(() => 'I helped.') })
  const model = scriptedModel(script)
  const guide = defineAgent({ name: 'guide', instructions: 'Be kind.', model, tools: [...tools, agentTool(helper)] })
  const models = { other: scriptedModel(() => 'Other answer.', { id: 'other' }) }
  const runtime = options.runtime ?? createRuntime({ store, models, agents: [guide, helper], captureRequests: 'keep' })
  const keys = KEYS.map(key => ({ ...key, hash: hashApiKey(`key-of-${key.name}`) }))
  const app = createServerApp({ keepAliveMs: 1_000_000, keys, ...options, runtime })
  const fetch: typeof globalThis.fetch = (url, init) => app.fetch(new Request(url, init))
  const clientOf = (name: KeyName): RunsClient =>
    createRunsClient({ baseUrl: 'http://127.0.0.1', key: `key-of-${name}`, fetch, reconnectDelayMs: 1 })
  return {
    app,
    store,
    model,
    runtime,
    clientOf,
    operator: clientOf('operator'),
    send: (path: string, name: KeyName, init: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> } = {}) =>
      app.fetch(
        new Request(`http://127.0.0.1${path}`, {
          ...init,
          headers: { authorization: `Bearer key-of-${name}`, ...init.headers },
        }),
      ),
    [Symbol.asyncDispose]: async () => {
      await runtime.close({ drainMs: 0 })
      await store[Symbol.asyncDispose]()
    },
  }
}

/** Waits until a run has ended or is suspended, and returns its events. */
export async function untilIdle(client: RunsClient, runId: string): Promise<readonly { type: string; seq: number }[]> {
  const events: { type: string; seq: number }[] = []
  for await (const event of client.events(runId)) {
    events.push(event)
    if (event.type === 'run.suspended') break
  }
  return events
}
