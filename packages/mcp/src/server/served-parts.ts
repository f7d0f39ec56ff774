import type * as Sdk from '@modelcontextprotocol/server'
import { describePublicly, ParleyError, toErrorInfo } from '@parley/core'
import type { McpRequestContext, McpServer } from '@modelcontextprotocol/server'

/** What the prompts and resources of one SDK server need. */
export interface ServedParts {
  readonly server: McpServer['server']
  readonly sdk: typeof Sdk
  /** The revision of the client: before 2026-07-28, or since then. */
  readonly era: McpRequestContext['era']
  /** Whether the SDK server serves only one request. Then it cannot send notices. */
  readonly isRequest: boolean
  /** Runs a function of the owner. Its error goes to the owner; the client gets a public sentence. */
  readonly guard: <TResult>(work: () => Promise<TResult>) => Promise<TResult>
  /** Aborted when the server closes. */
  readonly signal: AbortSignal
  /** Called when the connection closes. */
  readonly closers: (() => void)[]
}

/** Creates a guard: `onFailure` gets the error of the owner's function, and the client a public sentence. */
export function guardOf(onFailure: (error: ParleyError) => void): ServedParts['guard'] {
  return async work => {
    try {
      return await work()
    } catch (error) {
      onFailure(asFailure(error))
      // The SDK sends the message to the client.
      throw new Error(describePublicly(toErrorInfo(error)), { cause: error })
    }
  }
}

export function asFailure(error: unknown): ParleyError {
  return ParleyError.is(error) ? error : new ParleyError(toErrorInfo(error), { cause: error })
}
