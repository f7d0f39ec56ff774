import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { ParleyError } from '@parley/core'
import { createEndpointHandler, type NodeEndpointOptions } from '@restatedev/restate-sdk'

/** Options of `RestateHost.listen`. */
export interface EndpointOptions {
  /** Port to listen on; 0 picks a free one. @default 9080 */
  readonly port?: number | undefined
  /** Address to listen on. @default '127.0.0.1' */
  readonly hostname?: string | undefined
  /** Whether several processes of one machine share the port. Requires Linux and Node.js 23.1. @default false */
  readonly reusePort?: boolean | undefined
  /** Public keys of the Restate servers that may send requests. @default none: every server may */
  readonly identityKeys?: readonly string[] | undefined
}

/** The open port on which Restate reaches a worker. Disposing it closes the port. */
export interface Endpoint extends AsyncDisposable {
  readonly port: number
}

type Served = Pick<NodeEndpointOptions, 'services' | 'logger'>

/** Serves over HTTP/2 without encryption, as Restate expects by default. */
export async function openEndpoint(
  served: Served,
  { port = 9080, hostname = '127.0.0.1', reusePort = false, identityKeys }: EndpointOptions,
): Promise<Endpoint> {
  const keys = identityKeys === undefined ? {} : { identityKeys: [...identityKeys] }
  const server = createServer(createEndpointHandler({ ...served, ...keys }))
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', session => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
    // A Restate server that crashes resets its connections. That is not an error of the worker.
    session.on('error', () => {})
  })
  await listening(server, { port, host: hostname, reusePort })
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const session of sessions) session.destroy()
      }),
  }
}

interface Address {
  readonly port: number
  readonly host: string
  readonly reusePort: boolean
}

function listening(server: Http2Server, address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (cause: Error): void => {
      const detail = `cannot listen at ${address.host}:${address.port}: ${cause.message}`
      reject(new ParleyError({ code: 'config-invalid', path: 'listen', detail }, { cause }))
    }
    server.once('error', refuse)
    server.listen(address, () => {
      server.off('error', refuse)
      resolve()
    })
  })
}
