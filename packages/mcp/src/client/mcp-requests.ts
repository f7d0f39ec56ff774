import type { Json } from '@parley/core'
import type { SendRequest } from './send-request.ts'
import type { Connection } from '../connection/open-connection.ts'
import type { McpCallResult, McpToolInfo } from '../tools/mcp-tool-host.ts'
import type { McpServer } from './mcp-server.ts'
import type { ResourceSubscriptions } from './resource-subscriptions.ts'

/** All requests to the server. */
export interface McpRequests extends Pick<
  McpServer,
  | 'callTool'
  | 'listResources'
  | 'listResourceTemplates'
  | 'readResource'
  | 'subscribeResource'
  | 'unsubscribeResource'
  | 'complete'
  | 'listPrompts'
  | 'getPrompt'
  | 'ping'
  | 'setLogLevel'
  | 'request'
  | 'notify'
> {
  readonly fetchTools: () => Promise<readonly McpToolInfo[]>
}

// Accepts any result: only the caller of a generic request knows its shape.
const anything = {
  '~standard': { version: 1, vendor: 'parley', validate: (value: unknown) => ({ value }) },
} as const

/** Whether the server offers this kind of list. Without the check, the SDK writes a warning to the console. */
function offers(client: Connection['client'], what: 'tools' | 'resources' | 'prompts'): boolean {
  return client.getServerCapabilities()?.[what] !== undefined
}

// Without a cursor, the SDK fetches all pages of a list.
export function createMcpRequests(ask: SendRequest, subscriptions: ResourceSubscriptions): McpRequests {
  return {
    fetchTools: () =>
      ask({
        method: 'tools/list',
        idempotent: true,
        timedAsWhole: true,
        // The SDK must not answer from its cache: the server may have changed the list.
        send: async (client, wire) =>
          offers(client, 'tools') ? (await client.listTools({}, { ...wire, cacheMode: 'refresh' })).tools : [],
      }),
    callTool: (name, input, { onProgress, ...options } = {}) =>
      ask({
        ...options,
        method: 'tools/call',
        send: (client, wire, meta): Promise<McpCallResult> =>
          client.callTool(
            { name, arguments: (input ?? {}) as Record<string, unknown>, ...meta },
            { ...wire, ...(onProgress === undefined ? {} : { onprogress: onProgress }) },
          ),
      }),
    ...createResourceRequests(ask, subscriptions),
    complete: ({ of, argument: name, value, known = {} }, options) =>
      ask({
        ...options,
        method: 'completion/complete',
        idempotent: true,
        send: async (client, wire, meta) =>
          (
            await client.complete(
              {
                ref:
                  'prompt' in of
                    ? { type: 'ref/prompt', name: of.prompt }
                    : { type: 'ref/resource', uri: of.resourceTemplate },
                argument: { name, value },
                context: { arguments: { ...known } },
                ...meta,
              },
              wire,
            )
          ).completion,
      }),
    listPrompts: options =>
      ask({
        ...options,
        method: 'prompts/list',
        idempotent: true,
        timedAsWhole: true,
        send: async (client, wire, meta) =>
          offers(client, 'prompts') ? (await client.listPrompts(meta, wire)).prompts : [],
      }),
    getPrompt: (name, values = {}, options) =>
      ask({
        ...options,
        method: 'prompts/get',
        idempotent: true,
        send: (client, wire, meta) => client.getPrompt({ name, arguments: { ...values }, ...meta }, wire),
      }),
    ...createPlainRequests(ask),
  }
}

function createResourceRequests(
  ask: SendRequest,
  subscriptions: ResourceSubscriptions,
): Pick<
  McpRequests,
  'listResources' | 'listResourceTemplates' | 'readResource' | 'subscribeResource' | 'unsubscribeResource'
> {
  return {
    listResources: options =>
      ask({
        ...options,
        method: 'resources/list',
        idempotent: true,
        timedAsWhole: true,
        send: async (client, wire, meta) =>
          offers(client, 'resources') ? (await client.listResources(meta, wire)).resources : [],
      }),
    listResourceTemplates: options =>
      ask({
        ...options,
        method: 'resources/templates/list',
        idempotent: true,
        timedAsWhole: true,
        send: async (client, wire, meta) =>
          offers(client, 'resources') ? (await client.listResourceTemplates(meta, wire)).resourceTemplates : [],
      }),
    readResource: (uri, options) =>
      ask({
        ...options,
        method: 'resources/read',
        idempotent: true,
        send: async (client, wire, meta) => (await client.readResource({ uri, ...meta }, wire)).contents,
      }),
    async subscribeResource(uri, options) {
      await ask({
        ...options,
        method: 'resources/subscribe',
        idempotent: true,
        send: (client, wire) => subscriptions.add(client, uri, wire),
      })
    },
    async unsubscribeResource(uri, options) {
      await ask({
        ...options,
        method: 'resources/unsubscribe',
        idempotent: true,
        send: (client, wire) => subscriptions.remove(client, uri, wire),
      })
    },
  }
}

function createPlainRequests(ask: SendRequest): Pick<McpRequests, 'ping' | 'setLogLevel' | 'request' | 'notify'> {
  return {
    ping: options =>
      ask({
        ...options,
        method: 'ping',
        idempotent: true,
        // Revision 2026-07-28 has no ping. `server/discover` is the cheapest request that every server answers.
        send: async (client, wire) =>
          void (await (client.getProtocolEra() === 'modern' ? client.discover(wire) : client.ping(wire))),
      }),
    setLogLevel: (level, options) =>
      ask({
        ...options,
        method: 'logging/setLevel',
        idempotent: true,
        send: async (client, wire) => void (await client.setLoggingLevel(level, wire)),
      }),
    request: (method, params = {}, options) =>
      ask({
        ...options,
        method,
        // The SDK loses the output type of the schema.
        send: async (client, wire, meta) =>
          (await client.request({ method, params: { ...meta, ...params } }, anything, wire)) as Json,
      }),
    notify: (method, params = {}) =>
      ask({
        method,
        timedAsWhole: true,
        send: client => client.notification({ method, params: { ...params } }),
      }),
  }
}
