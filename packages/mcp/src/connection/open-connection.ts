import type { Client, FetchLike } from '@modelcontextprotocol/client'
import { ParleyError, untilAborted } from '@parley/core'
import manifest from '../../package.json' with { type: 'json' }
import { findAuthorizationRequired } from '../auth/authorization-required.ts'
import { serveClientFeatures, capabilitiesOf } from '../features/serve-client-features.ts'
import type { McpServerDefinition } from '../config/mcp-server-definition.ts'
import { openHttpLink } from '../transport/open-http-link.ts'
import { openStdioLink } from '../transport/open-stdio-link.ts'
import { handleNotifications, listChangedHandlers, type NotificationListeners } from './notification-handlers.ts'
import { asCause, toRequestFailure } from './request-failure.ts'
import type { ServerLink } from '../transport/server-link.ts'

/** A connection after the handshake. */
export interface Connection {
  readonly client: Client
  readonly link: ServerLink
  /** Requests without an answer yet. */
  readonly pending: Set<Promise<unknown>>
}

export interface ConnectionOptions extends NotificationListeners {
  /** Source of the few variables that every stdio server inherits. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Sends the requests to a server behind a URL. */
  readonly fetch: FetchLike
  readonly signal: AbortSignal | undefined
}

const FAILED_START_GRACE_MS = 250
const PROBE_SHARE = 0.3

/**
 * Starts or reaches the server and performs the handshake. A failure leaves nothing running.
 * @throws ParleyError `mcp-server-failed`; the signal's reason if aborted.
 */
export async function openConnection(
  definition: McpServerDefinition,
  { signal, ...options }: ConnectionOptions,
): Promise<Connection> {
  const { startupTimeoutMs = 10_000, protocol = 'legacy' } = definition
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), startupTimeoutMs)
  const handshake = { ...options, startupTimeoutMs, deadline: deadline.signal, signal }
  try {
    return await performHandshake(definition, { ...handshake, protocol }).catch((error: unknown) => {
      // The fault that broke the last connection also broke the pooled sockets; a new attempt opens a new one.
      if (isReset(error)) return performHandshake(definition, { ...handshake, protocol })
      // Servers on old SDKs exit on any request before `initialize`, such as the probe for the newer protocol.
      if (protocol !== 'auto' || !exitedOnProbe(error)) throw error
      return performHandshake(definition, { ...handshake, protocol: 'legacy' })
    })
  } finally {
    clearTimeout(timer)
  }
}

interface HandshakeOptions extends ConnectionOptions {
  readonly protocol: NonNullable<McpServerDefinition['protocol']>
  readonly startupTimeoutMs: number
  readonly deadline: AbortSignal
}

async function performHandshake(definition: McpServerDefinition, options: HandshakeOptions): Promise<Connection> {
  const { startupTimeoutMs, deadline, signal } = options
  signal?.throwIfAborted()
  const link = await openLink(definition, options)
  if (typeof link === 'string') {
    throw new ParleyError({ code: 'mcp-server-failed', server: definition.name, detail: link })
  }
  try {
    const client = await createClient(definition.name, options)
    const work = client.connect(link.transport, { timeout: startupTimeoutMs })
    await untilAborted(work, signal === undefined ? deadline : AbortSignal.any([deadline, signal]))
    return { client, link, pending: new Set() }
  } catch (error) {
    const late = `it did not finish the handshake within ${startupTimeoutMs} ms; ${link.describe()}`
    const detail = deadline.aborted ? late : describeRefusal(error, link)
    await link.stop(FAILED_START_GRACE_MS)
    signal?.throwIfAborted()
    const needed = findAuthorizationRequired(error)
    if (needed !== undefined) throw needed
    throw new ParleyError({ code: 'mcp-server-failed', server: definition.name, detail }, asCause(error, link.redact))
  }
}

async function openLink(
  definition: McpServerDefinition,
  { environment, fetch }: ConnectionOptions,
): Promise<ServerLink | string> {
  return definition.transport === 'stdio'
    ? await openStdioLink(definition, environment)
    : await openHttpLink(definition, fetch)
}

async function createClient(server: string, options: HandshakeOptions): Promise<Connection['client']> {
  const { protocol, startupTimeoutMs, features } = options
  // The SDK is slow to load, so it is loaded with the first server only.
  const { Client } = await import('@modelcontextprotocol/client')
  const client = new Client(
    { name: 'parley', version: manifest.version },
    {
      // A server that ignores the probe for the newer protocol must have time left for the older handshake.
      versionNegotiation: { mode: toMode(protocol), probe: { timeoutMs: startupTimeoutMs * PROBE_SHARE } },
      capabilities: capabilitiesOf(features),
      listChanged: listChangedHandlers(options.onListChanged),
    },
  )
  serveClientFeatures(client, { ...features, server })
  handleNotifications(client, options)
  return client
}

function toMode(protocol: HandshakeOptions['protocol']): 'legacy' | 'auto' | { pin: string } {
  return protocol === 'legacy' || protocol === 'auto' ? protocol : { pin: protocol }
}

function describeRefusal(error: unknown, link: ServerLink): string {
  const failure = toRequestFailure(error, link.redact)
  switch (failure.kind) {
    case 'lost':
      return link.pid === undefined
        ? `${link.describe()} ${failure.detail}`
        : `${link.describe()} (during the handshake)`
    case 'timeout':
      return `it did not finish the handshake in time; ${link.describe()}`
    case 'refused':
      return `it refused the handshake: ${failure.detail} (${failure.rpcCode})`
    case 'other':
      return `the handshake failed: ${failure.detail}`
  }
}

const RESETS = new Set<unknown>(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

function isReset(error: unknown): boolean {
  let next = error
  for (let depth = 0; next instanceof Error && depth < 8; depth += 1) {
    if (next.message === 'fetch failed' && next.cause instanceof Error) {
      return 'code' in next.cause && RESETS.has(next.cause.code)
    }
    next = next.cause
  }
  return false
}

function exitedOnProbe(error: unknown): boolean {
  if (!ParleyError.is(error, 'mcp-server-failed') || !(error.cause instanceof Error)) return false
  return 'code' in error.cause && error.cause.code === 'ERA_NEGOTIATION_FAILED'
}
