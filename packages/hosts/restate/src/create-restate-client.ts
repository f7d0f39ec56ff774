import { createId, ParleyError, systemClock, type LiveBus, type Store, type UserMessage } from '@parley/core'
import { createRuntime, outermostRun, type RunOptions } from '@parley/engine'
import { connect, rpc } from '@restatedev/restate-sdk-clients'
import { createHostedRun } from './create-hosted-run.ts'
import type { HostedRun } from './hosted-run.ts'
import type { RunOrder } from './run-order.ts'
import { SESSION_SERVICE, sessionKey } from './service-names.ts'
import type { SessionObject } from './session-object.ts'
import { called } from './terminal-error.ts'

export interface RestateClientOptions {
  /** Where Restate takes requests: `http://localhost:8080`. */
  readonly ingress: string
  /** The store the workers share. */
  readonly store: Store
  /** The live bus the workers have. @default only entries are shown */
  readonly live?: LiveBus | undefined
  /** Sent with every request, for a gateway that asks who calls. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** How long a call waits for a Restate that cannot be reached. Waiting for a result has no end. @default 60_000 */
  readonly waitMs?: number | undefined
}

export interface StartOptions extends Pick<
  RunOptions,
  | 'sessionId'
  | 'scope'
  | 'history'
  | 'principal'
  | 'variables'
  | 'workspace'
  | 'settings'
  | 'instructions'
  | 'metadata'
  | 'runId'
> {}

/** Starts and reaches runs on Restate, from any process. Holds nothing open. */
export interface RestateClient {
  /**
   * Has a run begun by some worker. Resolves when Restate has it for certain; asked again with the same `runId` it is the
   * same run. Runs of one session follow each other in the order they were started in.
   * @throws ParleyError `request-invalid` when Restate cannot be reached or knows no worker.
   */
  start(agent: string, input: string | UserMessage, options?: StartOptions): Promise<HostedRun>
  /**
   * A run that was begun before; for a sub-agent's it is the outermost one.
   * @throws ParleyError `run-unknown`, `store-…`.
   */
  run(runId: string, options?: { readonly scope?: string | undefined }): Promise<HostedRun>
}

export function createRestateClient(clientOptions: RestateClientOptions): RestateClient {
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
      const { history, principal, variables, workspace, settings, instructions, metadata } = options
      const told = { history, principal, variables, workspace, settings, instructions, metadata }
      const order = { agent, input, scope, runId, sessionId, ...told } as RunOrder
      const key = sessionKey(scope, order.sessionId)
      const session = brief.objectSendClient<SessionObject>({ name: SESSION_SERVICE }, key)
      await called(url, () => session.turn(order, rpc.sendOpts({ idempotencyKey: order.runId })))
      return createHostedRun(access, order)
    },
    async run(runId, { scope = 'default' } = {}) {
      const record = await store.run(await outermostRun(store, runId))
      if (record?.scope !== scope) throw new ParleyError({ code: 'run-unknown', runId })
      return createHostedRun(access, record)
    },
  }
}
