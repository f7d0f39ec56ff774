import { describe, expect, it } from 'vitest'
import { identifyServer } from './identify-server.ts'

/** Creates a server with documents at some paths. It records the requested paths. */
function serverWith(documents: Readonly<Record<string, unknown>>, missing = 404) {
  const asked: string[] = []
  const keys: (string | null)[] = []
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const { pathname } = new URL(url as string)
    asked.push(pathname)
    keys.push(new Headers(init?.headers).get('authorization'))
    const body = documents[pathname]
    return body === undefined ? new Response('Not here', { status: missing }) : Response.json(body)
  }
  return { asked, keys, fetch }
}

const BASE = 'http://box:8000/v1'
const listing = (...entries: object[]) => ({ '/v1/models': { object: 'list', data: entries } })
const plain = { id: 'm', object: 'model', owned_by: 'me' }

describe('identifyServer', () => {
  it.each([
    ['vllm', listing({ ...plain, owned_by: 'vllm', max_model_len: 4096 })],
    ['llamacpp', listing({ ...plain, owned_by: 'llamacpp', meta: { n_ctx_train: 4096 } })],
    ['lmstudio', listing({ ...plain, owned_by: 'organization_owner' })],
    ['ollama', listing({ ...plain, owned_by: 'library' })],
    ['deepseek', listing({ ...plain, owned_by: 'deepseek' })],
    ['xai', listing({ ...plain, owned_by: 'xai' })],
    ['moonshot', listing({ ...plain, owned_by: 'moonshot' })],
    ['openrouter', listing({ ...plain, pricing: { prompt: '0' }, top_provider: {} })],
    ['mistral', listing({ ...plain, capabilities: { completion_chat: true } })],
    ['groq', listing({ ...plain, active: true, context_window: 8192 })],
  ])('identifyServer recognizes %s by its list of models, with one request', async (profile, documents) => {
    const { asked, fetch } = serverWith(documents)
    const { evidence, ...found } = await identifyServer({ baseUrl: BASE, fetch })
    expect(found).toMatchObject({ profile, models: [{ id: 'm' }] })
    expect(evidence).toContain('its list of models')
    expect(asked).toEqual(['/v1/models'])
  })

  it.each([
    ['llamacpp', '/props', { default_generation_settings: {} }],
    ['lmstudio', '/api/v0/models', { data: [] }],
    ['ollama', '/api/version', { version: '0.9.0' }],
    ['vllm', '/version', { version: '0.11.0' }],
  ])('identifyServer recognizes %s by the document at %s', async (profile, path, body) => {
    const { asked, fetch } = serverWith({ ...listing(plain), [path]: body })
    expect(await identifyServer({ baseUrl: BASE, fetch })).toMatchObject({ profile, evidence: `it answers at ${path}` })
    expect(asked.length).toBeLessThanOrEqual(5)
  })

  it('identifyServer uses the address of a known service, and the port of a server without other evidence', async () => {
    const { asked, fetch } = serverWith(listing({ ...plain, owned_by: 'vllm' }))
    const known = await identifyServer({ baseUrl: 'https://api.groq.com/v1', apiKey: 'k', fetch })
    expect(known).toMatchObject({ profile: 'groq', evidence: 'by its address' })
    expect(asked).toHaveLength(1)
    const silent = serverWith({})
    const found = await identifyServer({ baseUrl: 'http://box:1234/v1', fetch: silent.fetch })
    expect(found).toEqual({ profile: 'lmstudio', evidence: 'by its port', models: [] })
  })

  it.each([404, 400, 403, 500])('identifyServer returns generic if every path answers with status %d', async status => {
    const { fetch } = serverWith({}, status)
    const found = await identifyServer({ baseUrl: BASE, fetch })
    expect(found).toEqual({ profile: 'generic', evidence: 'without evidence for another profile', models: [] })
  })

  it('identifyServer sends the key, and fails if the server rejects it', async () => {
    const { keys, fetch } = serverWith({}, 401)
    await expect(identifyServer({ baseUrl: BASE, apiKey: 'planted-key', fetch })).rejects.toMatchObject({
      code: 'model-auth',
    })
    expect(keys).toEqual(['Bearer planted-key'])
  })
})
