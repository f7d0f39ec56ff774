import { untilAborted } from '@parley/core'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A local HTTP server that receives the redirect of the authorization server. */
export interface RedirectReceiver extends AsyncDisposable {
  readonly url: string
  /** Resolves to the parameters of the redirect that carries `state`. Other requests get status 404. */
  wait(state: string, signal?: AbortSignal): Promise<URLSearchParams>
}

export interface RedirectReceiverOptions {
  /** An `http:` URL on a loopback host. Without a port, any free one is used. */
  readonly url: string
}

const PAGE = '<!doctype html><meta charset="utf-8"><title>Done</title><p>Done. You can close this page.</p>'

/** Listens for the redirect. Rejects if the port is in use. */
export async function openRedirectReceiver({ url }: RedirectReceiverOptions): Promise<RedirectReceiver> {
  const wanted = new URL(url)
  let expected: string | undefined
  const arrived = Promise.withResolvers<URLSearchParams>()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', wanted)
    if (pathname !== wanted.pathname || expected === undefined || searchParams.get('state') !== expected) {
      return void response.writeHead(404, { connection: 'close' }).end()
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', connection: 'close' }).end(PAGE)
    arrived.resolve(searchParams)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(Number(wanted.port), wanted.hostname, resolve)
  })
  wanted.port = String((server.address() as AddressInfo).port)
  return {
    url: wanted.href,
    wait(state, signal) {
      expected = state
      return untilAborted(arrived.promise, signal)
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise(resolve => server.close(resolve))
      server.closeIdleConnections()
      await closed
    },
  }
}
