import { untilAborted } from '@parley/core'
import type { ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client'
import type { McpClientFeatures, McpElicitation, McpElicitationAnswer } from './mcp-client-features.ts'

/** Passes the questions of one server to the user. It outlives the server's connections. */
export interface Elicitor {
  answer(params: ElicitRequestParams, signal: AbortSignal): Promise<ElicitResult>
  /**
   * Lets the user visit the pages that a refused request requires, one after the other.
   * @returns Whether the user visited them all; `undefined` if the request was refused for another reason.
   */
  visitPages(error: unknown, signal: AbortSignal): Promise<boolean | undefined>
  /** Records the server's report that the user has finished a page. */
  complete(elicitationId: string): void
}

export interface ElicitorOptions {
  readonly server: string
  readonly onElicit?: McpClientFeatures['onElicit']
}

/** Code of the protocol's `UrlElicitationRequiredError`. */
const URL_ELICITATION_REQUIRED = -32042

type Page = Pick<Extract<McpElicitation, { mode: 'url' }>, 'message' | 'url' | 'required' | 'signal'>

/** Creates the elicitor of one server. @returns `undefined` without `onElicit`. */
export function createElicitor({ server, onElicit }: ElicitorOptions): Elicitor | undefined {
  if (onElicit === undefined) return undefined
  const completions = createCompletions()
  const visits = new Map<string, Promise<McpElicitationAnswer>>()

  const visit = async (page: Page, elicitationId: string): Promise<McpElicitationAnswer> => {
    // An opener such as xdg-open may run programs for other schemes.
    if (!/^https?:$/.test(URL.parse(page.url)?.protocol ?? ''))
      throw new Error(`'${page.url}' must be an http: or https: URL.`)
    const completed = completions.wait(elicitationId)
    try {
      return await onElicit({ ...page, mode: 'url', server, completed })
    } finally {
      completions.forget(elicitationId)
    }
  }

  /** Lets the user visit a page. Requests that require the same page share one visit. */
  async function visitOnce(page: Page, elicitationId: string): Promise<McpElicitationAnswer> {
    // The user finished the page while the refusal was on its way.
    if (completions.has(elicitationId)) return { action: 'accept' }
    const pending = visits.get(elicitationId) ?? visit(page, elicitationId).finally(() => visits.delete(elicitationId))
    visits.set(elicitationId, pending)
    return untilAborted(pending, page.signal)
  }

  return {
    async answer(params, signal) {
      const { message } = params
      if ('url' in params) {
        const { url, elicitationId } = params
        const { action } = await visit({ message, url, required: false, signal }, elicitationId)
        return { action }
      }
      const answer = await onElicit({ mode: 'form', server, message, schema: params.requestedSchema, signal })
      return answer.action === 'accept' ? { action: 'accept', content: mutable(answer.content) } : answer
    },
    async visitPages(error, signal) {
      const pages = pagesOf(error)
      if (pages.length === 0) return undefined
      for (const { message, url, elicitationId } of pages) {
        const { action } = await visitOnce({ message, url, required: true, signal }, elicitationId)
        if (action !== 'accept') return false
      }
      return true
    },
    complete: completions.record,
  }
}

interface Completions {
  wait(elicitationId: string): Promise<void>
  record(elicitationId: string): void
  /** Whether the server has reported the completion. */
  has(elicitationId: string): boolean
  /** Stops waiting for the completion. A completion that the server has reported stays known. */
  forget(elicitationId: string): void
}

const MAX_KNOWN = 100

/** Creates a record of completed pages. The server may report a completion before the user is asked. */
function createCompletions(): Completions {
  const known = new Map<string, PromiseWithResolvers<void>>()
  const recorded = new WeakSet<PromiseWithResolvers<void>>()
  const has = (elicitationId: string): boolean => {
    const completion = known.get(elicitationId)
    return completion !== undefined && recorded.has(completion)
  }
  function find(elicitationId: string): PromiseWithResolvers<void> {
    const found = known.get(elicitationId) ?? Promise.withResolvers<void>()
    known.set(elicitationId, found)
    const [oldest] = known.keys()
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest)
    return found
  }
  return {
    wait: elicitationId => find(elicitationId).promise,
    record(elicitationId) {
      const completion = find(elicitationId)
      recorded.add(completion)
      completion.resolve()
    },
    has,
    forget(elicitationId) {
      if (!has(elicitationId)) known.delete(elicitationId)
    },
  }
}

interface RequiredPage {
  readonly message: string
  readonly url: string
  readonly elicitationId: string
}

/**
 * Returns the pages that a refused request requires. Reads fields instead of checking classes, so that the SDK is not
 * loaded for it.
 */
function pagesOf(error: unknown): readonly RequiredPage[] {
  if (!(error instanceof Error && 'code' in error && error.code === URL_ELICITATION_REQUIRED && 'data' in error))
    return []
  const { elicitations } = (error.data ?? {}) as { readonly elicitations?: unknown }
  return Array.isArray(elicitations) ? elicitations.filter(isRequiredPage) : []
}

function isRequiredPage(value: unknown): value is RequiredPage {
  if (typeof value !== 'object' || value === null) return false
  const { message, url, elicitationId } = value as Partial<Record<keyof RequiredPage, unknown>>
  return [message, url, elicitationId].every(field => typeof field === 'string')
}

type Fields = NonNullable<Extract<McpElicitationAnswer, { action: 'accept' }>['content']>

function mutable(content: Fields = {}): Record<string, string | number | boolean | string[]> {
  const entries = Object.entries(content)
  return Object.fromEntries(entries.map(([key, value]) => [key, isList(value) ? [...value] : value]))
}

function isList(value: Fields[string]): value is readonly string[] {
  return Array.isArray(value)
}
