import { ParleyError, type Json } from '@parley/core'
import manifest from '../package.json' with { type: 'json' }
import { abortable } from './abortable.ts'
import type { Connection } from './connection.ts'
import type { McpServerDefinition } from './mcp-server-definition.ts'
import { openHttpLink } from './open-http-link.ts'
import { openStdioLink } from './open-stdio-link.ts'
import { toRequestFailure } from './request-failure.ts'
import type { ServerLink } from './server-link.ts'

export interface ConnectionOptions {
  /** Where the variables come from that every server gets. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly onToolsChanged: () => void
  readonly onNotification: (method: string, params: Json | undefined) => void
  readonly signal: AbortSignal | undefined
}

const FAILED_START_GRACE_MS = 250
const PROBE_SHARE = 0.3

/**
 * Starts or reaches the server and shakes hands. Leaves nothing running when that fails.
 * @throws ParleyError `mcp-server-failed`; the signal's reason when aborted.
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
    return await shakeHands(definition, { ...handshake, protocol }).catch((error: unknown) => {
      // Servers on old SDKs die of any request before `initialize`, such as the question for the newer protocol.
      if (protocol !== 'auto' || !diedOfProbe(error)) throw error
      return shakeHands(definition, { ...handshake, protocol: 'legacy' })
    })
  } finally {
    clearTimeout(timer)
  }
}

interface HandshakeOptions extends ConnectionOptions {
  readonly protocol: 'legacy' | 'auto'
  readonly startupTimeoutMs: number
  readonly deadline: AbortSignal
}

async function shakeHands(definition: McpServerDefinition, options: HandshakeOptions): Promise<Connection> {
  const { environment, protocol, startupTimeoutMs, deadline, signal } = options
  signal?.throwIfAborted()
  const link = await openLink(definition, environment)
  if (typeof link === 'string') {
    throw new ParleyError({ code: 'mcp-server-failed', server: definition.name, detail: link })
  }
  try {
    const client = await createClient(protocol, options)
    const work = client.connect(link.transport, { timeout: startupTimeoutMs })
    await abortable(work, signal === undefined ? deadline : AbortSignal.any([deadline, signal]))
    return { client, link }
  } catch (error) {
    const late = `it did not finish the handshake within ${startupTimeoutMs} ms; ${link.describe()}`
    const detail = deadline.aborted ? late : describeRefusal(error, link)
    await link.stop(FAILED_START_GRACE_MS)
    signal?.throwIfAborted()
    throw new ParleyError({ code: 'mcp-server-failed', server: definition.name, detail }, { cause: error })
  }
}

async function openLink(
  definition: McpServerDefinition,
  environment: ConnectionOptions['environment'],
): Promise<ServerLink | string> {
  return definition.transport === 'stdio'
    ? await openStdioLink(definition, environment)
    : await openHttpLink(definition)
}

async function createClient(
  mode: 'legacy' | 'auto',
  { startupTimeoutMs, onToolsChanged, onNotification }: HandshakeOptions,
): Promise<Connection['client']> {
  // The SDK costs more to load than everything else here; nobody pays before the first server.
  const { Client } = await import('@modelcontextprotocol/client')
  const client = new Client(
    { name: 'parley', version: manifest.version },
    {
      // A server that ignores the question for the newer protocol must have time left for the older handshake.
      versionNegotiation: { mode, probe: { timeoutMs: startupTimeoutMs * PROBE_SHARE } },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onToolsChanged } },
    },
  )
  client.fallbackNotificationHandler = async ({ method, params }) => onNotification(method, params as Json | undefined)
  return client
}

function describeRefusal(error: unknown, link: ServerLink): string {
  const failure = toRequestFailure(error)
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

function diedOfProbe(error: unknown): boolean {
  if (!ParleyError.is(error, 'mcp-server-failed') || !(error.cause instanceof Error)) return false
  return 'code' in error.cause && error.cause.code === 'ERA_NEGOTIATION_FAILED'
}
