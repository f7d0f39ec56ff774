import { ParleyError, toolError, toolOk, type Tool, type ToolOutcome, type ToolSource } from '@parley/core'
import { inputSchemaOf, type OperationInput } from './input-schema-of.ts'
import { fieldsOf, type OpenApiDocument, type OpenApiOperation } from './open-api-document.ts'
import { readLimitedText } from './read-limited-text.ts'
import { toRequest } from './to-request.ts'

/** Which operations become tools: those that all given conditions name. */
export interface OpenApiFilter {
  readonly operationIds?: readonly string[] | undefined
  /** At least one of these tags. */
  readonly tags?: readonly string[] | undefined
  readonly pathPrefix?: string | undefined
}

export type OpenApiAuth =
  | { readonly type: 'bearer'; readonly token: string }
  | { readonly type: 'api-key'; readonly header: string; readonly value: string }

export interface OpenApiToolsOptions {
  /** The source's name. @default the document's title */
  readonly name?: string | undefined
  /** @default the document's first server */
  readonly baseUrl?: string | undefined
  /** @default none */
  readonly auth?: OpenApiAuth | undefined
  /** Sent with each call; a model cannot change them. @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** @default every operation */
  readonly filter?: OpenApiFilter | undefined
  /** Put before each name, with two underscores. @default none */
  readonly namePrefix?: string | undefined
  /** Bytes of an answer that are read; the model is told when there was more. @default 65_536 */
  readonly maxResponseBytes?: number | undefined
  /** @default 30_000 */
  readonly timeoutMs?: number | undefined
  /** `createGuardedFetch` of `@parley/tools/network` makes one that keeps out of private networks. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/**
 * The operations of an API as tools, named by their `operationId`. GET and HEAD are of effect `read`, PUT and DELETE
 * `idempotent`, the others `once`. Redirects are not followed, so that credentials stay where they belong.
 * @throws ParleyError `config-invalid` when there is no address to call, two operations share a name, or a `$ref` cannot
 * be followed.
 */
export function openApiTools(document: OpenApiDocument, options: OpenApiToolsOptions = {}): ToolSource {
  const { name = document.title, baseUrl = document.serverUrl, filter = {} } = options
  if (baseUrl === undefined || !URL.canParse(baseUrl)) {
    const detail = `'${baseUrl ?? ''}' is no address to call. Give baseUrl.`
    throw new ParleyError({ code: 'config-invalid', path: `${name}.baseUrl`, detail })
  }
  const tools = document.operations
    .filter(operation => fits(operation, filter))
    .map(operation => {
      const input = inputSchemaOf(operation, document.root)
      return toTool({ operation, input, baseUrl }, options)
    })
  checkNames(tools, name)
  return { name, tools: async () => tools, [Symbol.asyncDispose]: async () => {} }
}

function fits({ id, tags, path }: OpenApiOperation, filter: OpenApiFilter): boolean {
  const { operationIds, tags: wanted, pathPrefix = '' } = filter
  if (operationIds !== undefined && !operationIds.includes(id)) return false
  if (wanted !== undefined && !tags.some(tag => wanted.includes(tag))) return false
  return path.startsWith(pathPrefix)
}

interface CallTarget {
  readonly operation: OpenApiOperation
  readonly input: OperationInput
  readonly baseUrl: string
}

const EFFECTS: Readonly<Record<string, NonNullable<Tool['effect']>>> = {
  GET: 'read',
  HEAD: 'read',
  OPTIONS: 'read',
  PUT: 'idempotent',
  DELETE: 'idempotent',
}

function toTool(target: CallTarget, options: OpenApiToolsOptions): Tool {
  const { namePrefix, timeoutMs = 30_000 } = options
  const { id, description, method } = target.operation
  const prefix = namePrefix === undefined ? '' : `${namePrefix}__`
  return {
    name: `${prefix}${id}`.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64),
    description,
    input: target.input.schema,
    effect: EFFECTS[method] ?? 'once',
    timeoutMs,
    execute: (values, { signal }) => callOperation(target, options, { values, signal }),
  }
}

interface OperationCall {
  readonly values: unknown
  readonly signal: AbortSignal
}

async function callOperation(
  { operation, input, baseUrl }: CallTarget,
  { auth, headers = {}, maxResponseBytes = 65_536, fetch = globalThis.fetch }: OpenApiToolsOptions,
  { values, signal }: OperationCall,
): Promise<ToolOutcome> {
  const request = toRequest(operation, input, { baseUrl, values: fieldsOf(values) ?? {} })
  const { method, path } = operation
  const exchange = async () => {
    const response = await fetch(request.url, {
      method,
      headers: {
        accept: 'application/json, text/plain;q=0.9, */*;q=0.5',
        ...request.headers,
        ...headers,
        ...authHeader(auth),
      },
      body: request.body ?? null,
      redirect: 'manual',
      signal,
    })
    return { response, ...(await readLimitedText(response, maxResponseBytes)) }
  }
  const answer = await exchange().catch((error: unknown) => ({ failure: unanswered(error, operation, signal) }))
  if ('failure' in answer) return answer.failure
  const { response, text, cut } = answer
  const shown = cut ? `${text}\n[Cut after ${maxResponseBytes} bytes.]` : text
  const { status } = response
  if (response.ok) return toolOk(shown === '' ? `HTTP ${status}` : shown)
  const retryable = status === 429 || status === 503 || (status >= 500 && mayRepeat(method))
  return toolError(`HTTP ${status} from ${method} ${path}${shown === '' ? '' : `: ${shown}`}`, {
    retryable,
  })
}

/** What a model reads when no answer came, or not all of it. */
function unanswered(error: unknown, { method, path }: OpenApiOperation, signal: AbortSignal): ToolOutcome {
  signal.throwIfAborted()
  const operation = `${method} ${path}`
  if (ParleyError.is(error)) {
    const isPassing = 'retryable' in error.info && error.info.retryable === true
    const retryable = isPassing && mayRepeat(method)
    return toolError(`${operation} was not answered. ${error.message}`, { error: error.info, retryable })
  }
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
  const retryable = mayRepeat(method)
  const advice = retryable
    ? 'Try again later, or do without it.'
    : 'It may have been done all the same: find out before you try again.'
  return toolError(`${operation} was not answered: the connection failed${code}. ${advice}`, { retryable })
}

/** What was sent once may have been done, also when no answer came. */
function mayRepeat(method: string): boolean {
  return EFFECTS[method] !== undefined
}

function authHeader(auth: OpenApiAuth | undefined): Readonly<Record<string, string>> {
  if (auth === undefined) return {}
  return auth.type === 'bearer' ? { authorization: `Bearer ${auth.token}` } : { [auth.header]: auth.value }
}

function checkNames(tools: readonly Tool[], source: string): void {
  const names = new Set<string>()
  for (const { name } of tools) {
    if (names.has(name))
      throw new ParleyError({ code: 'config-invalid', path: source, detail: `two operations are named '${name}'` })
    names.add(name)
  }
}
