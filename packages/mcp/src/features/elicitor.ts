import type { ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client'
import { abortable } from '../abortable.ts'
import type { McpClientFeatures, McpElicitation, McpElicitationAnswer } from './mcp-client-features.ts'

/** Asks the user what one server wants to know, over all its connections. */
export interface Elicitor {
  answer(params: ElicitRequestParams, signal: AbortSignal): Promise<ElicitResult>
  /**
   * Lets the user visit the pages for whose sake a request was refused, one after the other.
   * @returns Whether they did; undefined when the request was refused for anything else.
   */
  visitPages(error: unknown, signal: AbortSignal): Promise<boolean | undefined>
  /** Takes note that the server says the user is done with a page. */
  complete(elicitationId: string): void
}

export interface ElicitorOptions {
  readonly server: string
  readonly onElicit?: McpClientFeatures['onElicit']
}

const PAGES_FIRST = -32042

type Page = Pick<Extract<McpElicitation, { mode: 'url' }>, 'message' | 'url' | 'required' | 'signal'>

/** @returns Undefined where nobody can be asked. */
export function createElicitor({ server, onElicit }: ElicitorOptions): Elicitor | undefined {
  if (onElicit === undefined) return undefined
  const completions = createCompletions()
  const visits = new Map<string, Promise<McpElicitationAnswer>>()

  const visit = async (page: Page, elicitationId: string): Promise<McpElicitationAnswer> => {
    // Whatever opens pages may do more with other schemes.
    if (!/^https?:$/.test(URL.parse(page.url)?.protocol ?? '')) throw new Error(`'${page.url}' is no web page.`)
    const completed = completions.wait(elicitationId)
    try {
      return await onElicit({ ...page, mode: 'url', server, completed })
    } finally {
      completions.forget(elicitationId)
    }
  }

  /** Requests that were refused for the same page wait for the same visit. */
  async function visitOnce(page: Page, elicitationId: string): Promise<McpElicitationAnswer> {
    // The refusal was under way when the user had done with the page.
    if (completions.has(elicitationId)) return { action: 'accept' }
    const going = visits.get(elicitationId) ?? visit(page, elicitationId).finally(() => visits.delete(elicitationId))
    visits.set(elicitationId, going)
    return abortable(going, page.signal)
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
    complete: completions.note,
  }
}

interface Completions {
  wait(elicitationId: string): Promise<void>
  note(elicitationId: string): void
  /** Whether the server has said so. */
  has(elicitationId: string): boolean
  /** Nobody waits for it any more. What the server has said stays known. */
  forget(elicitationId: string): void
}

const MOST_NOTED = 100

/** The server's word may be here before the user is asked. */
function createCompletions(): Completions {
  const known = new Map<string, PromiseWithResolvers<void>>()
  const noted = new WeakSet<PromiseWithResolvers<void>>()
  const has = (elicitationId: string): boolean => {
    const completion = known.get(elicitationId)
    return completion !== undefined && noted.has(completion)
  }
  function find(elicitationId: string): PromiseWithResolvers<void> {
    const found = known.get(elicitationId) ?? Promise.withResolvers<void>()
    known.set(elicitationId, found)
    const [oldest] = known.keys()
    if (known.size > MOST_NOTED && oldest !== undefined) known.delete(oldest)
    return found
  }
  return {
    wait: elicitationId => find(elicitationId).promise,
    note(elicitationId) {
      const completion = find(elicitationId)
      noted.add(completion)
      completion.resolve()
    },
    has,
    forget(elicitationId) {
      if (!has(elicitationId)) known.delete(elicitationId)
    },
  }
}

interface WantedPage {
  readonly message: string
  readonly url: string
  readonly elicitationId: string
}

/** Reads fields, not classes: the SDK is not loaded for it. */
function pagesOf(error: unknown): readonly WantedPage[] {
  if (!(error instanceof Error && 'code' in error && error.code === PAGES_FIRST && 'data' in error)) return []
  const { elicitations } = (error.data ?? {}) as { readonly elicitations?: unknown }
  return Array.isArray(elicitations) ? elicitations.filter(isWantedPage) : []
}

function isWantedPage(value: unknown): value is WantedPage {
  if (typeof value !== 'object' || value === null) return false
  const { message, url, elicitationId } = value as Partial<Record<keyof WantedPage, unknown>>
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
