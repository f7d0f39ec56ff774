import { gzipSync } from 'node:zlib'
import { ParleyError } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { openWebServer, type Answer } from '../__fixtures__/open-web-server.ts'
import { createGuardedFetch } from './create-guarded-fetch.ts'
import { createNetworkGuard } from './create-network-guard.ts'

async function openScene(answer: Answer, limits: { maxBytes?: number; timeoutMs?: number } = {}) {
  const server = await openWebServer(answer)
  const guard = createNetworkGuard({ allow: [`127.0.0.1:${server.port}`] })
  return { ...server, fetch: createGuardedFetch({ guard, ...limits }) }
}

describe('a guarded fetch', () => {
  it('a guarded fetch sends method, headers and body, and returns the response', async () => {
    await using scene = await openScene((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        const { method, headers } = request
        const seen = { method, body, token: headers['authorization'], type: headers['content-type'] }
        response.writeHead(201, { 'content-type': 'application/json', 'content-encoding': 'gzip', 'x-a': '1' })
        response.end(gzipSync(JSON.stringify(seen)))
      })
    })
    const response = await scene.fetch(`${scene.origin}/pets`, {
      method: 'PUT',
      headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
      body: '{"name":"Rëx"}',
    })
    expect(response.status).toBe(201)
    expect(response.headers.get('x-a')).toBe('1')
    expect(await response.json()).toEqual({
      method: 'PUT',
      body: '{"name":"Rëx"}',
      token: 'Bearer t',
      type: 'application/json',
    })
    const asked = await scene.fetch(new Request(`${scene.origin}/pets`, { method: 'DELETE' }))
    expect(await asked.json()).toMatchObject({ method: 'DELETE', body: '' })
  })

  it('a guarded fetch refuses what the guard refuses, also on a redirect', async () => {
    await using scene = await openScene((_, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end()
    })
    for (const url of [scene.origin, 'http://127.0.0.1:1/', 'file:///etc/passwd', 'http://user:pass@x.test/']) {
      await expect(scene.fetch(url)).rejects.toSatisfy(error => ParleyError.is(error, 'url-refused'))
    }
    const response = await scene.fetch(scene.origin, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([302, expect.stringContaining('169.254')])
    await expect(scene.fetch(scene.origin, { method: 'POST', body: 'x' })).rejects.toThrow(
      'it redirects a POST request, which is not followed',
    )
  })

  it('a guarded fetch returns a response without a body', async () => {
    await using scene = await openScene((_, response) => void response.writeHead(204).end())
    expect(await (await scene.fetch(scene.origin)).text()).toBe('')
  })

  it('a guarded fetch fails if a body is too long, and stops when its signal is aborted', async () => {
    await using scene = await openScene((_, response) => void response.end('12345'), { maxBytes: 4 })
    await expect(scene.fetch(scene.origin)).rejects.toThrow('longer than 4 bytes')
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(scene.fetch(scene.origin, { signal })).rejects.toThrow('enough')
  })
})
