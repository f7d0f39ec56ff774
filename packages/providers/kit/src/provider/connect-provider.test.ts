import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AnswerDecoder } from '../decode/answer-decoder.ts'
import { emptyRequest, play } from '../__fixtures__/scripted-model.ts'
import { connectProvider, toKeyHeader, type ProviderOptions, type ProviderService } from './connect-provider.ts'
import { createHttpModel } from './create-http-model.ts'
import { listModels } from './list-models.ts'

const acme: ProviderService = { name: 'acme', baseUrl: 'https://api.acme.example/v1' }

/** Creates a connection whose `fetch` answers with `body` and records the requests. */
function connect(options: ProviderOptions, service: Partial<ProviderService> = {}, body = '{}') {
  const sent: { readonly url: string; readonly headers: Headers }[] = []
  const fetch: ProviderOptions['fetch'] = async (url, { headers }) => {
    sent.push({ url, headers: new Headers(headers) })
    return new Response(body)
  }
  return { ...connectProvider({ fetch, ...options }, { ...acme, ...service }), sent }
}

const decoder: AnswerDecoder = { event: () => 'open', document: () => undefined, end: () => undefined }

describe('connectProvider', () => {
  afterEach(() => void vi.unstubAllEnvs())

  it('connectProvider sends a given key before a key of the environment, in the header of the service', async () => {
    vi.stubEnv('ACME_KEY', 'from-environment')
    for (const options of [{ apiKey: ' given\n' }, {}]) {
      const { http, sent } = connect(options, { keyHeader: 'x-key', keyVariables: ['NOT_SET', 'ACME_KEY'] })
      await http.json({ path: 'a', method: 'GET' })
      expect(sent[0]?.headers.get('x-key')).toBe('apiKey' in options ? 'given' : 'from-environment')
    }
  })

  it('connectProvider rejects a missing required key and names the variables', () => {
    vi.stubEnv('ACME_KEY', '')
    const service = { factory: 'createAcme', requiresKey: true, keyVariables: ['ACME_KEY'] }
    expect(() => connect({}, service)).toThrow('createAcme.apiKey: is missing; set ACME_KEY, or pass it')
    expect(() => connect({ apiKey: ' ' }, service)).toThrow('createAcme.apiKey: is missing')
    expect(() => connect({ headers: { Authorization: 'Bearer t' } }, service)).not.toThrow()
  })

  it.each(['localhost:1', 'api.acme.example/v1', 'ftp://acme.example', ''])(
    'connectProvider rejects the address %j, which is not http or https',
    baseUrl => {
      const message = 'createAcme.baseUrl: is not an http or https address; give a full one'
      expect(() => connect({}, { factory: 'createAcme', baseUrl })).toThrow(message)
    },
  )

  it('connectProvider prefers the name, headers and facts of the options to those of the service', async () => {
    const info = { contextWindow: 7 }
    const service = { headers: { 'x-a': 'service', 'x-b': 'service' }, infoOf: () => ({ contextWindow: 1 }) }
    const { name, http, infoOf, sent } = connect(
      { name: 'mine', headers: { 'x-a': 'own' }, models: { m: info } },
      service,
    )
    await http.json({ path: 'a', method: 'GET' })
    expect([sent[0]?.headers.get('x-a'), sent[0]?.headers.get('x-b')]).toEqual(['own', 'service'])
    expect([name, infoOf('m'), infoOf('other')]).toEqual(['mine', info, { contextWindow: 1 }])
  })

  it('createHttpModel creates a model that uses the facts of the connection and its own path', async () => {
    const { sent, ...connection } = connect({ wire: 'json', models: { m: { contextWindow: 7 } } })
    const model = createHttpModel(connection, { id: 'm', path: 'p', encode: () => '{}', createDecoder: () => decoder })
    expect(model).toMatchObject({ provider: 'acme', id: 'm', info: { contextWindow: 7 } })
    expect(await play(model, emptyRequest)).toEqual([])
    expect(sent[0]?.url).toBe('https://api.acme.example/v1/p')
  })

  it('listModels requests one page if the list has one', async () => {
    const { http, sent } = connect({}, {}, '{"ids":["a"]}')
    const read = (page: unknown) => (page as { readonly ids: readonly string[] }).ids.map(id => ({ id }))
    expect(await listModels(http, { path: 'models', read }, undefined)).toEqual([{ id: 'a' }])
    expect(sent).toHaveLength(1)
  })

  it('toKeyHeader returns no header for a missing or blank key', () => {
    expect([toKeyHeader(undefined), toKeyHeader(' \n')]).toEqual([{}, {}])
    expect(toKeyHeader('k')).toEqual({ authorization: 'Bearer k' })
    expect(toKeyHeader('k', 'api-key')).toEqual({ 'api-key': 'k' })
  })
})
