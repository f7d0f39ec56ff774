import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { callTool, type CallResult } from '../__fixtures__/call-tool.ts'
import { openWebServer, type Answer } from '../__fixtures__/open-web-server.ts'
import { createBraveEngine } from './create-brave-engine.ts'
import { createSearxngEngine } from './create-searxng-engine.ts'
import { createTavilyEngine } from './create-tavily-engine.ts'
import { createWebTools } from './create-web-tools.ts'
import type { SearchEngine } from './search-engine.ts'

const found = (snippetKey: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    title: `Title ${at}`,
    url: `https://site.test/${at}`,
    [snippetKey]: `About <strong>${at}</strong>\nand more`,
  }))

function answerJson(body: unknown, status = 200): Answer {
  return (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function search(engine: SearchEngine, input: Parameters<typeof callTool>[2]): Promise<CallResult> {
  return callTool(createWebTools({ engine }), 'web_search', input)
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('web_search', () => {
  it('web_search queries a SearXNG instance', async () => {
    await using server = await openWebServer(answerJson({ query: 'x', results: found('content', 9) }))
    const engine = createSearxngEngine({ baseUrl: `${server.origin}/searx` })
    const { text, outcome } = await search(engine, { query: ' a & b ', maxResults: 2 })
    expect(server.requests).toEqual(['/searx/search?q=a+%26+b&format=json'])
    expect(text).toBe(
      '1. Title 0\n   https://site.test/0\n   About 0 and more\n2. Title 1\n   https://site.test/1\n   About 1 and more',
    )
    expect(outcome).toMatchObject({ structured: { engine: 'searxng', results: [{ url: 'https://site.test/0' }, {}] } })
  })

  it('web_search queries the Brave API', async () => {
    let key: unknown
    await using server = await openWebServer((request, response) => {
      key = request.headers['x-subscription-token']
      answerJson({ web: { results: found('description', 1) } })(request, response)
    })
    const engine = createBraveEngine({ apiKey: 'k', baseUrl: server.origin })
    expect((await search(engine, { query: 'x' })).text).toContain('About 0 and more')
    expect(server.requests).toEqual(['/res/v1/web/search?q=x&count=5&text_decorations=false'])
    expect(key).toBe('k')
  })

  it('web_search queries the Tavily API', async () => {
    let asked: unknown
    await using server = await openWebServer((request, response) => {
      void textOf(request).then(body => {
        asked = [request.method, request.headers.authorization, JSON.parse(body)]
        answerJson({ results: found('content', 1) })(request, response)
      })
    })
    const engine = createTavilyEngine({ apiKey: 'k', baseUrl: server.origin })
    expect((await search(engine, { query: 'é', maxResults: 3 })).text).toContain('https://site.test/0')
    expect(asked).toEqual(['POST', 'Bearer k', { query: 'é', max_results: 3 }])
  })

  it.each([
    [401, false, 'key or settings'],
    [429, true, 'rate limiting'],
    [500, true, 'HTTP 500'],
  ])('web_search explains HTTP %d (retryable %s) without revealing the key', async (status, retryable, words) => {
    await using server = await openWebServer(answerJson({ error: 'k-secret' }, status))
    const { text, outcome } = await search(createBraveEngine({ apiKey: 'k-secret', baseUrl: server.origin }), {
      query: 'x',
    })
    expect(outcome).toMatchObject({ type: 'error', retryable })
    expect(text).toContain(words)
    expect(text).not.toContain('k-secret')
  })

  it('web_search does not follow a redirect of the engine into the private network', async () => {
    await using victim = await openWebServer(answerJson({ results: [] }))
    await using server = await openWebServer((_, response) =>
      response.writeHead(302, { location: victim.origin }).end(),
    )
    const { ok } = await search(createSearxngEngine({ baseUrl: server.origin }), { query: 'x' })
    expect(ok).toBe(false)
    expect(victim.requests).toEqual([])
  })

  it('web_search skips invalid results and rejects an answer that is not JSON', async () => {
    const odd = [null, 7, {}, { url: 7 }, { url: 'javascript:alert(1)' }, { url: 'https://ok.test', title: null }]
    await using server = await openWebServer(answerJson({ results: odd }))
    const engine = createSearxngEngine({ baseUrl: server.origin })
    expect((await search(engine, { query: 'x' })).outcome).toMatchObject({
      structured: { results: [{ url: 'https://ok.test', title: '', snippet: '' }] },
    })
    await using none = await openWebServer(answerJson([]))
    expect((await search(createSearxngEngine({ baseUrl: none.origin }), { query: 'x' })).text).toContain('No results')
    await using html = await openWebServer((_, response) => response.end('<html>'))
    expect((await search(createSearxngEngine({ baseUrl: html.origin }), { query: 'x' })).text).toContain(
      'did not answer with JSON',
    )
  })

  it('web_search accepts any engine and rejects an empty or very long query', async () => {
    const engine: SearchEngine = {
      name: 'mine',
      search: async ({ query }) => [{ title: query, url: 'https://a.b', snippet: '' }],
    }
    expect((await search(engine, { query: 'q' })).text).toContain('1. q')
    expect((await search(engine, { query: ' ' })).text).toContain('empty')
    expect((await search(engine, { query: 'x'.repeat(401) })).text).toContain('fewer words')
  })

  it('createSearxngEngine rejects a baseUrl that is not an http URL', () => {
    expect(() => createSearxngEngine({ baseUrl: 'localhost:8888' })).toThrow('baseUrl')
  })
})
