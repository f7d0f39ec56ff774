import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { openOtlp, type OtlpOptions } from './index.ts'

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Runs an agent with exported spans, and returns what the collector received until the runtime was closed. */
async function received(options: OtlpOptions): Promise<readonly Received[]> {
  const exports: Received[] = []
  const server = createServer((request, response) => {
    void text(request).then(body => {
      exports.push({ headers: request.headers, body })
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`
  const tracing = await openOtlp({ environment: {}, endpoint, ...options })
  const agent = defineAgent({ name: 'clerk', model: scriptedModel(['A planted answer.']) })
  const runtime = createRuntime({ defaults: { middleware: [tracing.middleware] }, resources: [tracing] })
  await runtime.invoke(agent, 'A planted question.')
  expect((await runtime.close()).errors).toEqual([])
  server.closeAllConnections()
  server.close()
  return exports
}

describe('openOtlp', () => {
  it('openOtlp sends the spans of a runtime with the headers and the name of the service, and without content', async () => {
    const [sent] = await received({ headers: { 'x-key': 'k' }, serviceName: 'shop' })
    expect(sent?.headers['x-key']).toBe('k')
    expect(sent?.body).toContain('invoke_agent clerk')
    expect(sent?.body).toContain('"shop"')
    expect(sent?.body).not.toContain('planted')
  })

  it('openOtlp sends messages if content is set', async () => {
    const [sent] = await received({ content: true })
    expect(sent?.body).toContain('A planted answer.')
  })

  it('openOtlp sends nothing if OTEL_SDK_DISABLED is true', async () => {
    expect(await received({ environment: { OTEL_SDK_DISABLED: 'true' } })).toEqual([])
  })
})
