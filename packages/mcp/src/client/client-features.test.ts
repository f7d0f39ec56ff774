import { scriptedModel } from '@parley/testing'
import { describe, expect, it, vi } from 'vitest'
import { fixtureServer, publishedServer } from '../__fixtures__/fixture-server.ts'
import type { McpElicitation, McpSamplingRequest } from '../features/mcp-client-features.ts'
import type { McpEvent } from '@parley/core'
import type { McpServer } from './mcp-server.ts'
import { openMcpServer, type OpenMcpServerOptions } from './open-mcp-server.ts'

const open = (options: OpenMcpServerOptions = {}): Promise<McpServer> =>
  openMcpServer(publishedServer('@modelcontextprotocol/server-everything/dist/index.js'), options)

/** Waits until the server offers a tool: it does so once it knows the client's capabilities. */
async function callOnceOffered(server: McpServer, name: string, input: object = {}): Promise<string> {
  await vi.waitUntil(async () => (await server.listTools()).some(tool => tool.name === name), 30_000)
  const { content } = await server.callTool(name, input)
  return content.map(part => String(part['text'])).join('\n')
}

describe.concurrent('client features', () => {
  it('the client declares only the features that are configured', async () => {
    await using server = await openMcpServer(fixtureServer('scripted.mjs'))
    await using generous = await openMcpServer(fixtureServer('scripted.mjs'), {
      onElicit: () => ({ action: 'cancel' }),
      sampling: { model: scriptedModel([]) },
      roots: [],
    })
    expect(await server.request('client/capabilities')).toEqual({})
    expect(await generous.request('client/capabilities')).toEqual({
      elicitation: { form: { applyDefaults: true }, url: {} },
      sampling: { tools: {} },
      roots: { listChanged: true },
    })
  })

  it("the client fills the gaps of the user's answer with the defaults of the schema", async () => {
    const asked: McpElicitation[] = []
    await using server = await open({
      onElicit: elicitation => {
        asked.push(elicitation)
        return { action: 'accept', content: { name: 'Ann', integer: 7 } }
      },
    })
    const text = await callOnceOffered(server, 'trigger-elicitation-request')
    expect(asked).toMatchObject([{ mode: 'form', server: 'real', schema: { required: ['name'] } }])
    expect(text).toContain('"name": "Ann"')
    expect(text).toContain('"integer": 7')
    expect(text).toContain('"number": 3.14')
  })

  it('a server can ask the client to show a page to the user', async () => {
    const asked: McpElicitation[] = []
    await using server = await open({
      onElicit: elicitation => {
        asked.push(elicitation)
        return { action: 'decline' }
      },
    })
    const text = await callOnceOffered(server, 'trigger-url-elicitation', { url: 'https://example.com/pay' })
    expect(asked).toMatchObject([{ mode: 'url', url: 'https://example.com/pay' }])
    expect(text).toMatch(/decline/i)
  })

  it('a server can ask a model, within the token limit', async () => {
    const model = scriptedModel(['Forty-two.'])
    const asked: McpSamplingRequest[] = []
    await using server = await open({
      sampling: {
        model,
        maxOutputTokens: 50,
        allow: request => asked.push(request) > 0,
      },
    })
    expect(await callOnceOffered(server, 'trigger-sampling-request', { prompt: 'Why?', maxTokens: 900 })).toContain(
      'Forty-two.',
    )
    expect(asked).toMatchObject([{ server: 'real', maxOutputTokens: 50 }])
    expect(model.requests[0]?.settings.maxOutputTokens).toBe(50)
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('Why?')
  })

  it('a sampling request that the policy refuses does not reach the model', async () => {
    const model = scriptedModel(['No.'])
    await using server = await open({ sampling: { model, allow: async () => false } })
    expect(await callOnceOffered(server, 'trigger-sampling-request', { prompt: 'Why?' })).toContain('refused')
    expect(model.requests).toHaveLength(0)
  })

  it('a server gets the current roots after setRoots', async () => {
    await using server = await open({ roots: [{ uri: 'file:///srv/one', name: 'one' }] })
    expect(await callOnceOffered(server, 'get-roots-list')).toContain('file:///srv/one')
    await server.setRoots([{ uri: 'file:///srv/two' }])
    await vi.waitUntil(
      async () => (await callOnceOffered(server, 'get-roots-list')).includes('file:///srv/two'),
      30_000,
    )
  })

  it('setRoots rejects with config-invalid when the server was opened without roots', async () => {
    await using server = await openMcpServer(fixtureServer('scripted.mjs'))
    await expect(server.setRoots([])).rejects.toMatchObject({ info: { code: 'config-invalid', path: 'fix.roots' } })
  })
})

describe.concurrent('resource subscriptions', () => {
  it('changes of a resource arrive from subscribeResource until unsubscribeResource', async () => {
    const events: McpEvent[] = []
    await using server = await open({ onEvent: event => events.push(event) })
    const [uri, other] = ['demo://resource/dynamic/text/1', 'demo://resource/dynamic/text/2']
    await server.subscribeResource(uri)
    await server.subscribeResource(other)
    await server.callTool('toggle-subscriber-updates', {})
    const updates = (of: string): number =>
      events.filter(event => event.type === 'mcp.resource.updated' && event.uri === of).length
    await vi.waitUntil(() => updates(uri) > 0, 30_000)
    expect(events).toContainEqual({ type: 'mcp.resource.updated', server: 'real', uri })
    await server.unsubscribeResource(uri)
    const [before, othersBefore] = [updates(uri), updates(other)]
    // The server sends the updates of both resources together, in the order of the subscriptions.
    await vi.waitUntil(() => updates(other) > othersBefore, 30_000)
    expect(updates(uri)).toBe(before)
  })
})

it('a resource subscription survives a restart of the server', async () => {
  let updates = 0
  await using server = await open({ onEvent: event => event.type === 'mcp.resource.updated' && (updates += 1) })
  await server.subscribeResource('demo://resource/dynamic/text/1')
  process.kill(server.pid ?? 0, 'SIGKILL')
  await vi.waitUntil(() => server.status.state === 'failed', 30_000)
  await server.ping()
  await server.callTool('toggle-subscriber-updates', {})
  await vi.waitUntil(() => updates > 0, 30_000)
})

it('complete suggests values for an argument of a prompt', async () => {
  await using server = await open()
  const completion = { of: { prompt: 'completable-prompt' }, argument: 'department', value: 'E' }
  expect(await server.complete(completion)).toMatchObject({ values: ['Engineering'] })
  const known = { department: 'Engineering' }
  const narrowed = await server.complete({ ...completion, argument: 'name', value: '', known })
  expect(narrowed.values.length).toBeGreaterThan(0)
})

describe.concurrent('a required page visit', () => {
  const input = { url: 'https://example.com/pay', errorPath: true }

  it('a request that requires a page visit is sent again after the visit', async () => {
    const asked: McpElicitation[] = []
    await using server = await open({
      onElicit: elicitation => {
        asked.push(elicitation)
        return { action: 'accept' }
      },
    })
    expect(await callOnceOffered(server, 'trigger-url-elicitation', input)).toContain('User completed the URL')
    expect(asked).toMatchObject([
      { mode: 'url', server: 'real', url: 'https://modelcontextprotocol.io', required: true },
      { mode: 'url', server: 'real', url: 'https://example.com/pay', required: false },
    ])
  })

  it('a request that requires a page visit fails when the user declines', async () => {
    await using server = await open({ onElicit: () => ({ action: 'decline' }) })
    await expect(callOnceOffered(server, 'trigger-url-elicitation', input)).rejects.toThrow(
      'the user did not visit the page that the server requires first',
    )
  })

  it('a request that requires a page visit is sent again at most once, and never without onElicit', async () => {
    let asked = 0
    await using server = await openMcpServer(fixtureServer('wants-visits.mjs'), {
      onElicit: () => ({ action: (asked += 1) > 0 ? 'accept' : 'cancel' }),
    })
    const refusal = { info: { code: 'mcp-request-failed', reason: 'refused', rpcCode: -32042 } }
    await expect(server.callTool('never', {})).rejects.toMatchObject(refusal)
    expect(asked).toBe(1)
    await using lonely = await openMcpServer(fixtureServer('wants-visits.mjs'))
    await expect(lonely.callTool('never', {})).rejects.toMatchObject(refusal)
  })

  it('onElicit can wait until the server reports that the user is done', async () => {
    await using server = await openMcpServer(fixtureServer('wants-visits.mjs'), {
      onElicit: async elicitation => {
        if (elicitation.mode === 'url') await elicitation.completed
        return { action: 'accept' }
      },
    })
    const calls = [server.callTool('once', {}), server.callTool('once', {})]
    await server.callTool('done', {})
    for (const { content } of await Promise.all(calls)) expect(content).toEqual([{ type: 'text', text: 'visited' }])
  })

  it('a request that requires a page visit can be aborted while the page is open', async () => {
    const reason = new Error('enough')
    const stop = new AbortController()
    await using server = await openMcpServer(fixtureServer('wants-visits.mjs'), {
      onElicit: () => {
        stop.abort(reason)
        return new Promise(() => {})
      },
    })
    await expect(server.callTool('once', {}, { signal: stop.signal })).rejects.toBe(reason)
  })

  it('the client shows only http: and https: pages', async () => {
    let asked = 0
    await using server = await openMcpServer(fixtureServer('wants-visits.mjs'), {
      onElicit: () => ({ action: (asked += 1) > 0 ? 'accept' : 'cancel' }),
    })
    const detail = "'file:///etc/passwd' must be an http: or https: URL."
    await expect(server.callTool('file', {})).rejects.toMatchObject({ info: { reason: 'refused', detail } })
    expect(asked).toBe(0)
  })
})
