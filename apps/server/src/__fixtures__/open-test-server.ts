import type { Store, Tool } from '@parley/core'
import { createRuntime, defineAgent, type Agent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel, type Script } from '@parley/testing'
import { createServerApp, type ServerAppOptions } from '../create-server-app.ts'
import { openServer, type ServerOptions } from '../open-server.ts'
import { tools } from './tools.ts'

export interface TestServerOptions extends Partial<ServerOptions> {
  readonly store?: Store | undefined
  readonly script?: Script | undefined
  readonly agent?: Partial<Agent> | undefined
  readonly tools?: readonly Tool[] | undefined
}

/** Options of a server with one agent, `guide`, whose model follows the script. */
export function compose({ script = ['Hello there.'], agent = {}, ...options }: TestServerOptions) {
  const { store = createMemoryStore(), ...others } = options
  const agents = others.agents ?? [defineAgent({ name: 'guide', model: scriptedModel(script), tools, ...agent })]
  const runtime = others.runtime ?? createRuntime({ agents, store })
  // On a loaded machine, a client can repeat a request later than the default allows.
  const window = others.clock === undefined ? { retryWindowMs: 1_000_000 } : {}
  return { keepAliveMs: 1_000_000, ...window, ...others, agents, runtime } satisfies ServerAppOptions
}

/** Creates a server without a socket. */
export function createTestApp(options: TestServerOptions = {}) {
  const composition = compose(options)
  const app = createServerApp(composition)

  function send(path: string, init: RequestInit & { readonly json?: unknown } = {}): Promise<Response> {
    const { json, ...rest } = init
    const body = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }
    return app.fetch(new Request(`http://127.0.0.1${path}`, { ...body, ...rest }))
  }
  return { ...composition, store: storeOf(composition), app, send }
}

/** Opens a server on a free port. */
export async function openTestServer(options: TestServerOptions = {}) {
  const composition = compose(options)
  const server = await openServer({ port: 0, ...composition })
  return { ...composition, store: storeOf(composition), server, url: server.url, [Symbol.asyncDispose]: () => server.close({ drainMs: 0 }) }
}

function storeOf({ runtime }: ServerAppOptions): Store {
  if (runtime.store === undefined) throw new Error('The runtime has no store.')
  return runtime.store
}
