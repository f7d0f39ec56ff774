import { ParleyError, untilAborted } from '@parley/core'
import type { OpenBrowser } from '../auth/authorize-in-browser.ts'
import { findAuthorizationRequired, type AuthorizationRequired } from '../auth/authorization-required.ts'
import { createAuthorizer, type Authorizer } from '../auth/authorizer.ts'
import type { FetchLike } from '@modelcontextprotocol/client'
import type { McpServerDefinition } from '../config/mcp-server-definition.ts'
import type { McpTokenStore } from '../auth/mcp-token-store.ts'
import type { ServerSupervisor } from './server-supervisor.ts'

/** Authorizes the requests to one server while it is open. */
export interface ServerAuthorization {
  readonly fetch: FetchLike
  /**
   * Asks the user for the authorization that a request requires. Stops waiting when `signal` aborts.
   * @throws ParleyError `mcp-auth-required`.
   */
  authorize(required: AuthorizationRequired, signal?: AbortSignal): Promise<void>
  /** Runs `work`. If it requires authorization, asks the user and runs `work` again. */
  withAuthorization<TResult>(work: () => Promise<TResult>): Promise<TResult>
  /**
   * Discards the token, then runs `work`, which needs a new one.
   * @throws ParleyError `config-invalid` if the server is used without authorization.
   */
  reset(work: () => Promise<void>): Promise<void>
}

export interface ServerAuthorizationOptions {
  readonly definition: McpServerDefinition
  readonly tokenStore: McpTokenStore
  readonly openBrowser?: OpenBrowser | undefined
  readonly authTimeoutMs: number
  readonly supervisor: () => Pick<ServerSupervisor, 'setNeedsAuth' | 'closed'>
}

const MAX_AUTHORIZATIONS = 3

export function createServerAuthorization(options: ServerAuthorizationOptions): ServerAuthorization {
  const { definition, supervisor } = options
  const { name } = definition
  const authorizer = authorizerFor(options)

  const toError = ({ message }: AuthorizationRequired, cause: unknown): ParleyError =>
    new ParleyError({ code: 'mcp-auth-required', server: name, detail: message }, { cause })

  async function authorize(required: AuthorizationRequired, signal?: AbortSignal): Promise<void> {
    if (authorizer === undefined) throw toError(required, required)
    const { setNeedsAuth, closed } = supervisor()
    setNeedsAuth(toError(required, required).info)
    // Not the caller's signal: other requests may wait for the same answer.
    await untilAborted(authorizer.askUser(required, closed), signal)
    setNeedsAuth(undefined)
  }

  return {
    fetch: authorizer?.fetch ?? fetch,
    authorize,
    async withAuthorization(work) {
      for (let authorizations = 0; ; authorizations += 1) {
        try {
          return await work()
        } catch (error) {
          const required = findAuthorizationRequired(error)
          if (required === undefined) throw error
          if (authorizations === MAX_AUTHORIZATIONS) throw toError(required, error)
          await authorize(required)
        }
      }
    },
    async reset(work) {
      if (authorizer === undefined) {
        const detail = 'must be a grant other than none to renew the authorization'
        throw new ParleyError({ code: 'config-invalid', path: `${name}.auth`, detail })
      }
      await authorizer.reset()
      await work()
    },
  }
}

function authorizerFor({
  definition,
  tokenStore,
  openBrowser,
  authTimeoutMs,
}: ServerAuthorizationOptions): Authorizer | undefined {
  if (definition.transport === 'stdio') return undefined
  const { name, url, headers = {} } = definition
  const given = Object.keys(headers).some(header => header.toLowerCase() === 'authorization')
  const { auth = given ? { grant: 'none' as const } : { grant: 'authorization-code' as const } } = definition
  if (auth.grant === 'none') return undefined
  return createAuthorizer({ server: name, serverUrl: url, auth, tokenStore, openBrowser, authTimeoutMs })
}
