import { ParleyError } from '@parley/core'
import { abortable } from '../abortable.ts'
import type { OpenBrowser } from '../auth/authorize-in-browser.ts'
import { findAuthorizationRequired, type AuthorizationRequired } from '../auth/authorization-required.ts'
import { createAuthorizer, type Authorizer } from '../auth/authorizer.ts'
import type { FetchLike } from '@modelcontextprotocol/client'
import type { McpServerDefinition } from '../config/mcp-server-definition.ts'
import type { McpTokenStore } from '../auth/mcp-token-store.ts'
import type { ServerSupervisor } from './server-supervisor.ts'

/** How one server is convinced to answer, for as long as it is open. */
export interface ServerAuthorization {
  readonly fetch: FetchLike
  /**
   * Asks a person for what a request needed. Gives up waiting when `signal` says so.
   * @throws ParleyError `mcp-auth-required`
   */
  authorize(needed: AuthorizationRequired, signal?: AbortSignal): Promise<void>
  /** Tries again each time a person has agreed to what the work needs. */
  withAuthorization<TResult>(work: () => Promise<TResult>): Promise<TResult>
  /**
   * Forgets the token, before some work that needs another.
   * @throws ParleyError `config-invalid` when there never is one.
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

const MAX_QUESTIONS = 3

export function createServerAuthorization(options: ServerAuthorizationOptions): ServerAuthorization {
  const { definition, supervisor } = options
  const { name } = definition
  const authorizer = authorizerFor(options)

  const required = ({ message }: AuthorizationRequired, cause: unknown): ParleyError =>
    new ParleyError({ code: 'mcp-auth-required', server: name, detail: message }, { cause })

  async function authorize(needed: AuthorizationRequired, signal?: AbortSignal): Promise<void> {
    if (authorizer === undefined) throw required(needed, needed)
    const { setNeedsAuth, closed } = supervisor()
    setNeedsAuth(required(needed, needed).info)
    // Not the caller's signal: others may wait for the same answer.
    await abortable(authorizer.ask(needed, closed), signal)
    setNeedsAuth(undefined)
  }

  return {
    fetch: authorizer?.fetch ?? fetch,
    authorize,
    async withAuthorization(work) {
      for (let questions = 0; ; questions += 1) {
        try {
          return await work()
        } catch (error) {
          const needed = findAuthorizationRequired(error)
          if (needed === undefined) throw error
          if (questions === MAX_QUESTIONS) throw required(needed, error)
          await authorize(needed)
        }
      }
    },
    async reset(work) {
      if (authorizer === undefined) {
        const detail = 'says that there is no authorization to renew'
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
