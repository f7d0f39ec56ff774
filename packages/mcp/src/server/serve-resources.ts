import type { ReadResourceResult } from '@modelcontextprotocol/server'
import { checkOptions, refuseOption, type OptionKinds } from '@parley/core'
import { checkArguments, type McpServedArguments } from './mcp-served-argument.ts'
import type { ServedParts } from './served-parts.ts'

/** A resource that `createMcpServer` offers, or a family of resources behind one URI template. */
export interface McpServedResource {
  /** URI, or URI template (RFC 6570) such as `notes://{year}/{name}`. */
  readonly uri: string
  readonly name: string
  /** Tells the user what the resource contains. @default none */
  readonly description?: string | undefined
  /** @default 'text/plain' for text, 'application/octet-stream' for bytes */
  readonly mediaType?: string | undefined
  /** Variables of the URI template, for suggestions. @default {} */
  readonly arguments?: McpServedArguments | undefined
  /**
   * Reads the resource. Returns `undefined` if a URI template has no resource at these values.
   * @param values Values of the variables of the URI template.
   */
  read(
    values: Readonly<Record<string, string>>,
    options: { readonly signal: AbortSignal },
  ): McpResourceData | Promise<McpResourceData>
  /**
   * Calls `listener` with the URI of a resource whenever its content has changed. Clients can then subscribe.
   * @returns A function that stops the notices.
   */
  onChange?(listener: (uri: string) => void): () => void
}

/** Content of a resource: text or bytes; `undefined` if it does not exist. */
export type McpResourceData = string | Uint8Array | undefined

const RESOURCE: OptionKinds<McpServedResource> = {
  uri: 'string!',
  name: 'string!',
  description: 'string',
  mediaType: 'string',
  arguments: 'object',
  read: 'function!',
  onChange: 'function',
}

/** @throws ParleyError `config-invalid` */
export function checkResources(where: string, resources: readonly McpServedResource[]): void {
  for (const [index, resource] of resources.entries()) {
    const at = `${where}[${index}]`
    checkOptions(at, resource, RESOURCE)
    checkArguments(`${at}.arguments`, resource.arguments)
    if (!URL.canParse(resource.uri))
      refuseOption(
        `${at}.uri`,
        `is '${resource.uri}'; must be a URI or URI template with a scheme, such as 'notes://a'`,
      )
    if (resources.findIndex(({ uri }) => uri === resource.uri) < index)
      refuseOption(`${at}.uri`, `is '${resource.uri}', the URI of another resource; must be unique`)
  }
}

/** Watches the changes of all resources. @returns A function that stops the notices. */
export function watchResources(resources: readonly McpServedResource[], listener: (uri: string) => void): () => void {
  const stops = resources.map(resource => resource.onChange?.(listener))
  return () => {
    for (const stop of stops) stop?.()
  }
}

/** Whether a URI is a template. */
function isTemplate(uri: string): boolean {
  return uri.includes('{')
}

/** Offers resources to the client of one SDK server. Offers nothing if there are none. */
export function serveResources(resources: readonly McpServedResource[], parts: ServedParts): void {
  const { server, sdk, guard, signal } = parts
  if (resources.length === 0) return
  const templates = resources.map(resource => ({ resource, template: new sdk.UriTemplate(resource.uri) }))
  const subscribe = resources.some(({ onChange }) => onChange !== undefined)
  server.registerCapabilities({ resources: { subscribe } })
  server.setRequestHandler('resources/list', () => ({
    resources: resources.filter(({ uri }) => !isTemplate(uri)).map(({ uri, ...rest }) => ({ uri, ...describe(rest) })),
  }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: resources
      .filter(({ uri }) => isTemplate(uri))
      .map(({ uri, ...rest }) => ({ uriTemplate: uri, ...describe(rest) })),
  }))

  function find(uri: string): { readonly resource: McpServedResource; readonly values: Record<string, string> } {
    for (const { resource, template } of templates) {
      const found = template.match(uri)
      if (found === null) continue
      const values = Object.entries(found).map(([name, value]) => [name, [value].flat().join(',')] as const)
      return { resource, values: Object.fromEntries(values) }
    }
    throw new sdk.ResourceNotFoundError(uri)
  }

  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq }) => {
    const { resource, values } = find(uri)
    const stop = AbortSignal.any([mcpReq.signal, signal])
    const data = await guard(async () => await resource.read(values, { signal: stop }))
    if (data === undefined) throw new sdk.ResourceNotFoundError(uri)
    return { contents: [toContents(uri, data, resource.mediaType)] }
  })
  if (subscribe) serveSubscriptions(resources, parts, uri => find(uri).resource.uri)
}

/** Notifies one client of changes. Since revision 2026-07-28 the SDK knows what a client listens to. */
function serveSubscriptions(
  resources: readonly McpServedResource[],
  { server, closers, era, isRequest }: ServedParts,
  check: (uri: string) => string,
): void {
  const subscribed = new Set<string>()
  if (era === 'legacy') {
    server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
      check(uri)
      subscribed.add(uri)
      return {}
    })
    server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
      subscribed.delete(uri)
      return {}
    })
  }
  if (isRequest) return
  const changed = (uri: string): void => {
    // The client may have disconnected.
    if (era !== 'legacy' || subscribed.has(uri)) server.sendResourceUpdated({ uri }).catch(() => {})
  }
  closers.push(watchResources(resources, changed))
}

function describe({ name, description, mediaType }: Omit<McpServedResource, 'uri'>): {
  name: string
  description?: string
  mimeType?: string
} {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(mediaType === undefined ? {} : { mimeType: mediaType }),
  }
}

function toContents(
  uri: string,
  data: string | Uint8Array,
  mediaType?: string,
): ReadResourceResult['contents'][number] {
  if (typeof data === 'string') return { uri, mimeType: mediaType ?? 'text/plain', text: data }
  const blob = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64')
  return { uri, mimeType: mediaType ?? 'application/octet-stream', blob }
}
