import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ParleyError, type Tool, type ToolContext, type ToolOutcome } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { openTempDirectory } from '../__fixtures__/open-temp-directory.ts'
import { openWebServer } from '../__fixtures__/open-web-server.ts'
import { createGuardedFetch, createNetworkGuard } from '../network/index.ts'
import { openApiTools, type OpenApiToolsOptions } from './open-api-tools.ts'
import { parseOpenApi } from './parse-open-api.ts'
import { readOpenApi } from './read-open-api.ts'

const DOCUMENT = `
openapi: 3.0.3
info: { title: pets, version: '1' }
servers: [{ url: 'https://{host}/v1', variables: { host: { default: pets.example } } }]
paths:
  /pets/{petId}:
    parameters: [{ $ref: '#/components/parameters/Pet' }]
    get:
      operationId: getPet
      summary: One pet.
      tags: [read]
      parameters:
        - { name: fields, in: query, schema: { type: array, items: { type: string } } }
        - { name: sort, in: query, explode: false, schema: { type: array } }
        - { name: filter, in: query, style: deepObject, schema: { type: object } }
        - { name: X-Trace, in: header, schema: { type: string } }
        - { name: petId, in: query, schema: { type: string } }
    delete: { operationId: dropPet, responses: {} }
  /pets:
    post:
      operationId: pets.add
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
    put: { summary: no id }
  /upload:
    post:
      operationId: upload
      requestBody: { required: true, content: { multipart/form-data: { schema: { type: object } } } }
  /login:
    post:
      operationId: login
      requestBody: { content: { application/x-www-form-urlencoded: { schema: { type: object } } } }
components:
  parameters: { Pet: { name: petId, in: path, required: true, description: Its id., schema: { type: string } } }
  schemas:
    Pet:
      type: object
      required: [name]
      properties:
        name: { type: string, nullable: true, example: Rex }
        age: { type: integer, minimum: 0, exclusiveMinimum: true }
        parent: { $ref: '#/components/schemas/Pet' }
`

async function toolsOf(options: OpenApiToolsOptions = {}, answer: () => Response = () => Response.json({ ok: true })) {
  const requests: { url: string; init: RequestInit }[] = []
  const fetch = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
    requests.push({ url: String(url), init })
    return answer()
  }
  await using source = openApiTools(parseOpenApi(DOCUMENT), { fetch, ...options })
  const tools = await source.tools()
  const call = async (name: string, input: unknown): Promise<ToolOutcome> => {
    const tool = tools.find(candidate => candidate.name === name) as Tool
    return (await tool.execute(input, { signal: new AbortController().signal } as ToolContext)) as ToolOutcome
  }
  return { tools, requests, call }
}

const textOf = (outcome: ToolOutcome): string =>
  outcome.type === 'ask' || outcome.type === 'handoff' || outcome.type === 'pending'
    ? ''
    : outcome.content.map(part => (part.type === 'text' ? part.text : '')).join('')

describe('openApiTools', () => {
  it('openApiTools creates a tool for each operation that has an id and a supported body', async () => {
    const { tools } = await toolsOf()
    expect(tools.map(({ name, effect, timeoutMs }) => [name, effect, timeoutMs])).toEqual([
      ['getPet', 'read', 30_000],
      ['dropPet', 'idempotent', 30_000],
      ['pets_add', 'once', 30_000],
      ['login', 'once', 30_000],
    ])
    expect(tools[0]).toMatchObject({
      description: 'One pet.',
      input: { required: ['petId'], additionalProperties: false },
    })
    expect(Object.keys((tools[0]!.input as { properties: object }).properties)).toEqual([
      'petId',
      'fields',
      'sort',
      'filter',
      'X-Trace',
      'query_petId',
    ])
  })

  it('openApiTools converts the document’s schemas to JSON Schema, also recursive ones', async () => {
    const { tools } = await toolsOf()
    expect(tools[2]?.input).toEqual({
      type: 'object',
      properties: { body: { $ref: '#/$defs/Pet' } },
      required: ['body'],
      additionalProperties: false,
      $defs: {
        Pet: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: ['string', 'null'] },
            age: { type: 'integer', minimum: 0, exclusiveMinimum: 0 },
            parent: { $ref: '#/$defs/Pet' },
          },
        },
      },
    })
  })

  it('openApiTools filters operations by id, tag and path, and prefixes names', async () => {
    const names = async (options: OpenApiToolsOptions): Promise<string[]> =>
      (await toolsOf(options)).tools.map(({ name }) => name)
    expect(await names({ filter: { operationIds: ['login'] } })).toEqual(['login'])
    expect(await names({ filter: { tags: ['read'] } })).toEqual(['getPet'])
    expect(await names({ filter: { pathPrefix: '/pets/' }, namePrefix: 'p' })).toEqual(['p__getPet', 'p__dropPet'])
  })

  it('a tool encodes each value for its place in the request', async () => {
    const { requests, call } = await toolsOf({ auth: { type: 'bearer', token: 't' }, headers: { 'x-app': 'a' } })
    await call('getPet', {
      petId: 'a/b?c',
      fields: ['x', 'y'],
      sort: ['p', 'q'],
      filter: { k: 'v' },
      'X-Trace': 'one\r\ntwo',
      query_petId: 7,
    })
    expect(requests[0]?.url).toBe(
      'https://pets.example/v1/pets/a%2Fb%3Fc?fields=x&fields=y&sort=p%2Cq&filter%5Bk%5D=v&petId=7',
    )
    expect(requests[0]?.init).toMatchObject({
      method: 'GET',
      redirect: 'manual',
      headers: { authorization: 'Bearer t', 'x-app': 'a', 'X-Trace': 'one two' },
    })
    await call('getPet', { petId: '..' })
    expect(new URL(requests[1]?.url ?? '').pathname).toBe('/v1/pets/%252E%252E')
    await call('pets_add', { body: { name: 'Rex' } })
    expect(requests[2]?.init).toMatchObject({
      method: 'POST',
      body: '{"name":"Rex"}',
      headers: { 'content-type': 'application/json' },
    })
    await call('login', { body: { user: 'a b', pass: '&' } })
    expect(requests[3]?.init.body).toBe('user=a+b&pass=%26')
  })

  it('a tool cuts a long response between characters and says so', async () => {
    const { call } = await toolsOf({ maxResponseBytes: 4 }, () => new Response('ééé'))
    expect(textOf(await call('getPet', { petId: '1' }))).toBe('éé\n[Cut after 4 bytes.]')
    const odd = await toolsOf({ maxResponseBytes: 5 }, () => new Response('ééé'))
    expect(textOf(await odd.call('getPet', { petId: '1' }))).toBe('éé\n[Cut after 5 bytes.]')
  })

  it('a tool returns an HTTP error with the server’s text to the model', async () => {
    const { call } = await toolsOf({}, () => new Response('no such pet', { status: 404 }))
    expect(await call('getPet', { petId: '1' })).toMatchObject({ type: 'error', retryable: false })
    expect(textOf(await call('getPet', { petId: '1' }))).toBe('HTTP 404 from GET /pets/{petId}: no such pet')
    const busy = await toolsOf({}, () => new Response('', { status: 503 }))
    expect(await busy.call('getPet', { petId: '1' })).toMatchObject({ retryable: true })
    const broken = await toolsOf({}, () => new Response('', { status: 500 }))
    expect(await broken.call('getPet', { petId: '1' })).toMatchObject({ retryable: true })
    expect(await broken.call('pets_add', { body: { name: 'Rex' } })).toMatchObject({ retryable: false })
  })

  it('a tool reports a missing response and is retryable only if the request may be repeated', async () => {
    await using server = await openWebServer((_, response) => response.destroy())
    const { call } = await toolsOf({ baseUrl: server.origin, fetch: undefined })
    const read = await call('getPet', { petId: '1' })
    expect(textOf(read)).toMatch(
      /^GET \/pets\/\{petId\} was not answered: the connection failed \(.+\)\. Try again later/,
    )
    expect(read).toMatchObject({ type: 'error', retryable: true })
    expect(await call('pets_add', { body: { name: 'Rex' } })).toMatchObject({ type: 'error', retryable: false })
    await using cut = await openWebServer((_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => response.destroy())
    })
    const half = await toolsOf({ baseUrl: cut.origin, fetch: undefined })
    expect(textOf(await half.call('getPet', { petId: '1' }))).toContain('was not answered: the connection failed')
  })

  it('a tool call stops when its signal is aborted', async () => {
    const stop = new AbortController()
    await using server = await openWebServer(() => stop.abort(new Error('enough')))
    const { tools } = await toolsOf({ baseUrl: server.origin, fetch: undefined })
    const calling = tools[0]?.execute({ petId: '1' }, { signal: stop.signal } as ToolContext)
    await expect(calling).rejects.toThrow('enough')
  })

  it('a guarded fetch keeps the tools out of private networks', async () => {
    await using server = await openWebServer((_, response) => void response.end('{"secret":1}'))
    const closed = await toolsOf({ baseUrl: server.origin, fetch: createGuardedFetch({ guard: createNetworkGuard() }) })
    expect(textOf(await closed.call('getPet', { petId: '1' }))).toContain('was not answered. Cannot fetch')
    expect(server.requests).toEqual([])
    const guard = createNetworkGuard({ allow: [`127.0.0.1:${server.port}`] })
    const open = await toolsOf({ baseUrl: server.origin, fetch: createGuardedFetch({ guard }) })
    expect(textOf(await open.call('getPet', { petId: '1' }))).toBe('{"secret":1}')
  })
})

describe('documents', () => {
  it('parseOpenApi rejects text that is not an OpenAPI 3 document and references that cannot be resolved', () => {
    for (const text of [
      '[',
      'swagger: "2.0"',
      'openapi: 3.0.0\npaths: { /a: { $ref: "#/nowhere" } }',
      'openapi: 3.0.0\npaths: { /a: { $ref: "https://x#/y" } }',
      'openapi: 3.0.0\npaths: { /a: { $ref: "#/paths/~1a" } }',
    ])
      expect(() => parseOpenApi(text)).toThrow(ParleyError)
    expect(() => openApiTools(parseOpenApi('openapi: 3.1.0\npaths: {}'))).toThrow('Give baseUrl')
  })

  it('readOpenApi reads a file or an address, and resolves a relative server against the address', async () => {
    await using folder = await openTempDirectory()
    await writeFile(join(folder.path, 'api.json'), '{"openapi":"3.1.0","info":{"title":"t"}}')
    expect(await readOpenApi(join(folder.path, 'api.json'))).toMatchObject({ title: 't', serverUrl: undefined })
    await expect(readOpenApi(join(folder.path, 'none.json'))).rejects.toMatchObject({ code: 'file-unreadable' })
    const fetch = async (): Promise<Response> => new Response('openapi: 3.0.0\nservers: [{ url: /v2 }]')
    expect((await readOpenApi('https://x.example/docs/api.yaml', { fetch })).serverUrl).toBe('https://x.example/v2')
  })
})
