import type { Client, RequestOptions } from '@modelcontextprotocol/client'

/** The subscribed resources of one server, kept over reconnects. */
export interface ResourceSubscriptions {
  add(client: Client, uri: string, wire: RequestOptions): Promise<void>
  remove(client: Client, uri: string, wire: RequestOptions): Promise<void>
  /** Subscribes to the same resources over a new connection. Drops a resource that the server refuses now. */
  renew(client: Client, wire: RequestOptions): Promise<void>
}

export function createResourceSubscriptions(): ResourceSubscriptions {
  const uris = new Set<string>()
  let stream: Awaited<ReturnType<Client['listen']>> | undefined

  /**
   * Opens the stream of resource changes. Revision 2026-07-28 has one stream for all resources, and the request that
   * opens it names them.
   */
  async function listen(client: Client, wire: RequestOptions): Promise<void> {
    const before = stream
    stream = uris.size === 0 ? undefined : await client.listen({ resourceSubscriptions: [...uris] }, wire)
    await before?.close()
  }

  return {
    async add(client, uri, wire) {
      uris.add(uri)
      try {
        await (isModern(client) ? listen(client, wire) : client.subscribeResource({ uri }, wire))
      } catch (error) {
        uris.delete(uri)
        throw error
      }
    },
    async remove(client, uri, wire) {
      uris.delete(uri)
      await (isModern(client) ? listen(client, wire) : client.unsubscribeResource({ uri }, wire))
    },
    async renew(client, wire) {
      stream = undefined
      if (uris.size === 0) return
      if (isModern(client)) return await listen(client, wire)
      const results = await Promise.allSettled(
        [...uris].map(async uri => ({ uri, done: await client.subscribeResource({ uri }, wire) })),
      )
      const kept = results.flatMap(result => (result.status === 'fulfilled' ? [result.value.uri] : []))
      uris.clear()
      for (const uri of kept) uris.add(uri)
    },
  }
}

function isModern(client: Client): boolean {
  return client.getProtocolEra() === 'modern'
}
