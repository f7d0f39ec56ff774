import {
  checkOptions,
  createId,
  ParleyError,
  systemClock,
  type LiveBus,
  type Store,
  type UserMessage,
  type OptionKinds,
} from '@parley/core'
import { createRuntime, type RunOptions } from '@parley/engine'
import { rootRun } from '@parley/engine/host'
import { connect, rpc } from '@restatedev/restate-sdk-clients'
import { createHostedRun } from './create-hosted-run.ts'
import type { HostedRun } from './hosted-run.ts'
import type { RunOrder } from './run-order.ts'
import { SESSION_SERVICE, sessionKey, type SessionHandlers } from './service-contract.ts'
import { called } from './terminal-error.ts'

/** Options of `createRestateClient`. */
export interface RestateClientOptions {
  /** Address of Restate's ingress: `http://localhost:8080`. */
  readonly ingress: string
  /** The store that the workers share. */
  readonly store: Store
  /** The live bus of the workers. @default none: `events()` shows journal entries only */
  readonly live?: LiveBus | undefined
  /** Headers of every request, for a gateway that authenticates clients. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Milliseconds for which a call retries while Restate is not reachable. `result()` retries forever. @default 60_000 */
  readonly waitMs?: number | undefined
}

/** Options of `RestateClient.start`: those of `Runtime.run` that can be sent to a worker. */
export interface StartOptions extends Pick<
  RunOptions,
  | 'sessionId'
  | 'scope'
  | 'history'
  | 'principal'
  | 'variables'
  | 'workspace'
  | 'context'
  | 'settings'
  | 'instructions'
  | 'metadata'
  | 'runId'
> {}

/** Starts and finds runs on Restate, from any process. It holds no connection open. */
export interface RestateClient {
  /**
   * Starts a run on a worker. Resolves when Restate has stored the request. A second call with the same `runId` returns the
   * same run. Runs of one session start in the order of these calls.
   * @throws ParleyError `request-invalid` if Restate is not reachable or has no worker registered.
   */
  start(agent: string, input: string | UserMessage, options?: StartOptions): Promise<HostedRun>
  /**
   * Finds a run that was started before. For a child run it returns the root run.
   * @throws ParleyError `run-unknown`, `store-…`.
   */
  run(runId: string, options?: { readonly scope?: string | undefined }): Promise<HostedRun>
}

const OPTIONS: OptionKinds<RestateClientOptions> = {
  ingress: 'string!',
  store: 'store!',
  live: 'object',
  headers: 'object',
  waitMs: 'number',
}

/** Creates a client. It needs the workers' store, but no agents. */
export function createRestateClient(clientOptions: RestateClientOptions): RestateClient {
  checkOptions('createRestateClient', clientOptions, OPTIONS)
  const { ingress: url, store, live, headers = {}, waitMs = 60_000 } = clientOptions
  const connection = { url: url.replace(/\/+$/, ''), headers: { ...headers } }
  const brief = connect({ ...connection, retry: { maxDuration: waitMs, maxAttempts: Infinity } })
  const patient = connect({ ...connection, retry: { maxDuration: false, maxAttempts: Infinity } })
  const journals = createRuntime({ store })
  const access = { url, brief, patient, store, journals, live }

  return {
    async start(agent, input, options = {}) {
      const now = systemClock.now()
      const { sessionId = createId(now), scope = 'default', runId = createId(now) } = options
      const { history, principal, variables, workspace, context, settings, instructions, metadata } = options
      const given = { history, principal, variables, workspace, context, settings, instructions, metadata }
      const order = { agent, input, scope, runId, sessionId, ...given } as RunOrder
      const key = sessionKey(scope, order.sessionId)
      const session = brief.objectSendClient<SessionHandlers>({ name: SESSION_SERVICE }, key)
      await called(url, () => session.turn(order, rpc.sendOpts({ idempotencyKey: order.runId })))
      return createHostedRun(access, order)
    },
    async run(runId, { scope = 'default' } = {}) {
      const record = await store.run(await rootRun(store, runId))
      if (record?.scope !== scope) throw new ParleyError({ code: 'run-unknown', runId })
      return createHostedRun(access, record)
    },
  }
}
