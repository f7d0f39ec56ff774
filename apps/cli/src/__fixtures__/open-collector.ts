import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

interface ExportedSpan {
  readonly name: string
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { readonly key: string; readonly value: unknown }[] }
    readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[]
  }[]
}

/** An OpenTelemetry collector on loopback, which keeps what it gets. */
export interface Collector extends AsyncDisposable {
  readonly url: string
  /** Names of the spans so far. */
  spans(): readonly string[]
  /** Values of `service.name` so far. */
  services(): readonly unknown[]
}

export async function openCollector(): Promise<Collector> {
  const exports: Export[] = []
  const server = createServer((request, response) => {
    void json(request).then(sent => {
      exports.push(sent as Export)
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const resourceSpans = () => exports.flatMap(each => each.resourceSpans)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => resourceSpans().flatMap(each => each.scopeSpans.flatMap(({ spans }) => spans.map(({ name }) => name))),
    services: () =>
      resourceSpans().flatMap(({ resource }) =>
        resource.attributes.filter(({ key }) => key === 'service.name').map(({ value }) => value),
      ),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
