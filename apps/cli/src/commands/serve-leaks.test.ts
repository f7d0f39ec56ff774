import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { openCli, type Cli } from '../__fixtures__/open-cli.ts'

/** Credentials of the owner, and where they are. No client, log line, span or journal may have one of them. */
const SECRETS = {
  'the key of a provider, from the environment': 'sk-planted-environment-0001',
  'a variable of the environment that nothing uses': 'sk-planted-unused-0002',
  'a header of a provider in the configuration': 'planted-header-0003',
  'the key in the URL of a provider': 'planted-url-key-0004',
  'a header of the trace exporter': 'planted-exporter-0005',
  'the environment of an MCP server in the configuration': 'planted-mcp-0006',
  'the key of a search service in the configuration': 'planted-search-0007',
  'the key of a client': 'planted-client-key-0008',
  'a header of a remote MCP server': 'planted-remote-header-0009',
  'the key in the URL of a remote MCP server': 'planted-remote-url-0010',
} as const

interface Listener extends AsyncDisposable {
  readonly port: number
}

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Listener> {
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** A model server that quotes each request in its errors: headers, address and all. */
const openQuotingServer = (status: number) =>
  listen((request, response) => {
    const quoted = `${request.url ?? ''} ${JSON.stringify(request.headers)} ${request.rawHeaders.join(' ')}`
    const error = { message: `invalid: ${quoted}`, type: 'invalid_request_error', code: quoted, param: quoted }
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': quoted })
    response.end(JSON.stringify({ error }))
  })

const configOf = (bad: number, denied: number, collector: number): string => `
providers:
  house: { type: openai, baseUrl: 'http://127.0.0.1:${bad}/v1', apiKey: '\${HOUSE_KEY}', headers: { x-team-token: ${SECRETS['a header of a provider in the configuration']} } }
  gate: { type: anthropic, baseUrl: 'http://127.0.0.1:${denied}', apiKey: '\${HOUSE_KEY}', headers: { x-team-token: ${SECRETS['a header of a provider in the configuration']} } }
  away: { type: openai, baseUrl: 'http://127.0.0.1:${bad}/v1?key=${SECRETS['the key in the URL of a provider']}', apiKey: '\${HOUSE_KEY}', retry: { maxRetries: 0 } }
models:
  one: { provider: house, id: m }
  two: { provider: gate, id: m }
  three: { provider: away, id: m }
toolsets:
  web: { engine: { type: tavily, apiKey: ${SECRETS['the key of a search service in the configuration']} } }
mcpServers:
  broken: { command: node, args: ['-e', 'console.error(JSON.stringify(process.env)); process.exit(1)'], env: { TOKEN: ${SECRETS['the environment of an MCP server in the configuration']} } }
  remote: { url: 'http://127.0.0.1:${bad}/mcp?key=${SECRETS['the key in the URL of a remote MCP server']}', headers: { authorization: 'Bearer ${SECRETS['a header of a remote MCP server']}', x-key: ${SECRETS['a header of a remote MCP server']} } }
mcpStartupPolicy: log-and-continue
otel: { endpoint: 'http://127.0.0.1:${collector}/v1/traces', headers: { x-key: ${SECRETS['a header of the trace exporter']} }, content: true }
agents:
  one: { model: one, instructions: Help. }
  two: { model: two, instructions: Help. }
  three: { model: three, instructions: Help. }
`

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Bodies of the routes that start runs, by the address without its agent. */
const BODIES: Readonly<Record<string, (agent: string) => object>> = {
  '/process': () => ({ input: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }], session_id: 's' }),
  '/v1/chat/completions': model => ({ model, messages: [{ role: 'user', content: 'go' }], stream: true }),
  '/v1/responses': model => ({ model, input: 'go' }),
  '/ag-ui': () => ({ threadId: 't', runId: 'r', messages: [{ id: 'q', role: 'user', content: 'go' }] }),
  '/api/chat': () => ({ id: 'c', messages: [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'go' }] }] }),
}

/** Asks every operation of the server about this agent. @returns All that a client sees, by operation. */
async function askAll(url: string, agent: string): Promise<readonly (readonly [operation: string, seen: string])[]> {
  const key = SECRETS['the key of a client']
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const { paths } = (await (await fetch(`${url}/openapi.json`, { headers })).json()) as Document
  const seen: [string, string][] = []
  let id = 'none'
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => ({ path, method: method.toUpperCase() })),
  )
  // Runs must exist before their routes are asked for.
  const isStart = (path: string): boolean => BODIES[path.replace(/\/\{agent\}$/, '')] !== undefined
  for (const { path, method } of operations.toSorted((a, b) => Number(isStart(b.path)) - Number(isStart(a.path)))) {
    if (method === 'DELETE') continue
    const address = path
      .replace('{agent}', agent)
      .replace('{id}', path.startsWith('/sessions') ? 's' : path.startsWith('/v1/responses') ? `resp_${id}` : id)
      .replace('{approvalId}', 'a')
    const json = BODIES[path.replace(/\/\{agent\}$/, '')]?.(agent) ?? {}
    const body = method === 'GET' ? {} : { body: JSON.stringify(json) }
    const response = await fetch(`${url}${address}`, { method, headers, ...body, signal: AbortSignal.timeout(60_000) })
    const text = await response.text()
    id = /"id":"(?:resp_)?([0-9a-f-]{36})"/.exec(text)?.[1] ?? id
    seen.push([`${method} ${path}`, `${JSON.stringify([...response.headers])} ${text}`])
  }
  return seen
}

/** The bytes of the database, as text. */
async function journalOf(cli: Cli): Promise<string> {
  const folder = join(cli.dir, '.parley')
  const files = (await readdir(folder)).filter(name => name.includes('.db'))
  return (await Promise.all(files.map(name => readFile(join(folder, name), 'latin1')))).join('\n')
}

it('credentials of the owner are in no response, log line, span or journal', { timeout: 60_000 }, async () => {
  const spans: string[] = []
  await using bad = await openQuotingServer(400)
  await using denied = await openQuotingServer(401)
  await using collector = await listen((request, response) => {
    void buffer(request).then(body => {
      spans.push(body.toString('latin1'))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  const environment = {
    HOUSE_KEY: SECRETS['the key of a provider, from the environment'],
    UNUSED_TOKEN: SECRETS['a variable of the environment that nothing uses'],
    PARLEY_API_KEYS: SECRETS['the key of a client'],
  }
  await using cli = await openCli({ environment })
  await writeFile(join(cli.dir, 'parley.yaml'), configOf(bad.port, denied.port, collector.port))
  const { child, ended } = cli.start('serve', '--config', 'parley.yaml', '--port', '0')
  const lines = await Promise.race([
    once(child.stdout ?? child, 'data').then(([line]) => String(line)),
    ended.then(({ error }) => error),
  ])
  const [url = expect.fail(lines)] = /http:\S+/.exec(lines) ?? []

  const places: (readonly [string, string])[] = []
  for (const agent of ['one', 'two', 'three'])
    for (const [operation, text] of await askAll(url, agent)) places.push([`${operation} of ${agent}`, text])
  expect(places.length).toBeGreaterThan(60)
  child.kill('SIGTERM')
  const { out, error } = await ended
  places.push(['stdout', out], ['stderr', error], ['spans', spans.join('\n')], ['the journal', await journalOf(cli)])
  places.push(
    ['parley trace', (await cli.run('trace')).out],
    ['parley config', (await cli.run('config', 'check', 'parley.yaml')).out],
  )

  for (const [place, text] of places)
    for (const [what, secret] of Object.entries(SECRETS))
      expect([place, what, text.includes(secret) ? text : 'clean']).toEqual([place, what, 'clean'])
  // The log, the spans and the journal are those of the failed runs.
  expect(error).toContain('invalid:')
  expect(spans.join('\n')).toContain('model-invalid-request')
  expect(await journalOf(cli)).toContain('run.ended')
})
