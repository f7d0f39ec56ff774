import {
  checkOptions,
  ParleyError,
  readLimitedText,
  toolError,
  toolOk,
  type Tool,
  type ToolOutcome,
  type ToolSource,
  type OptionKinds,
} from '@parley/core'
import { inputSchemaOf, type OperationInput } from './input-schema-of.ts'
import { fieldsOf, type OpenApiDocument, type OpenApiOperation } from './open-api-document.ts'
import { toRequest } from './to-request.ts'

/** Selects the operations that become tools. An operation must meet all given conditions. */
export interface OpenApiFilter {
  /** Allowed ids of operations. @default every id */
  readonly operationIds?: readonly string[] | undefined
  /** Allowed tags. The operation must have at least one of them. @default every tag */
  readonly tags?: readonly string[] | undefined
  /** Text with which the path of the operation must start. @default every path */
  readonly pathPrefix?: string | undefined
}

/** Credentials for each call: a bearer token, or a key in a header. */
export type OpenApiAuth =
  | { readonly type: 'bearer'; readonly token: string }
  | { readonly type: 'api-key'; readonly header: string; readonly value: string }

export interface OpenApiToolsOptions {
  /** Name of the tool source. @default the document's title */
  readonly name?: string | undefined
  /** Address that calls go to. @default the document's first server */
  readonly baseUrl?: string | undefined
  /** Credentials for each call. The model cannot see or change them. @default none */
  readonly auth?: OpenApiAuth | undefined
  /** Headers for each call. The model cannot see or change them. @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Selects the operations that become tools. @default every operation */
  readonly filter?: OpenApiFilter | undefined
  /** Prefix of each tool name, followed by two underscores. @default none */
  readonly namePrefix?: string | undefined
  /** Maximum bytes of a response that are read. If there are more, a note informs the model. @default 65_536 */
  readonly maxResponseBytes?: number | undefined
  /** Milliseconds for one call. @default 30_000 */
  readonly timeoutMs?: number | undefined
  /**
   * Sends the calls. `createGuardedFetch` of `@parley/tools/network` creates one that refuses private networks.
   * @default globalThis.fetch
   */
  readonly fetch?: typeof globalThis.fetch | undefined
}

const OPTIONS: OptionKinds<OpenApiToolsOptions> = {
  name: 'string',
  baseUrl: 'string',
  auth: 'object',
  headers: 'object',
  filter: 'object',
  namePrefix: 'string',
  maxResponseBytes: 'number',
  timeoutMs: 'number',
  fetch: 'function',
}

/**
 * Turns the operations of an API into tools, named by their `operationId`. GET, HEAD and OPTIONS have effect `read`, PUT and
 * DELETE `idempotent`, all others `once`. Redirects are not followed, so that credentials do not reach another server.
 * @throws ParleyError `config-invalid` if the address to call is missing or invalid, two operations share a name, or a `$ref` cannot
 * be resolved.
 */
export function openApiTools(document: OpenApiDocument, options: OpenApiToolsOptions = {}): ToolSource {
  checkOptions('openApiTools', options, OPTIONS)
  const { name = document.title, baseUrl = document.serverUrl, filter = {} } = options
  if (baseUrl === undefined || !URL.canParse(baseUrl)) {
    const detail = `'${baseUrl ?? ''}' is not a full URL. Give baseUrl.`
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

/** Describes to the model that no response arrived, or only a part of it. */
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
    ? 'Try again later, or continue without it.'
    : 'The operation may have been carried out: check before you try again.'
  return toolError(`${operation} was not answered: the connection failed${code}. ${advice}`, { retryable })
}

/** Returns whether a request may be sent again. Without a response, the server may still have carried out the first one. */
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
