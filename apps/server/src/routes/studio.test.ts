import { describe, expect, it } from 'vitest'
import { hashApiKey } from '../access/api-key.ts'
import { createTestApp } from '../__fixtures__/open-test-server.ts'

const file = (text: string, type: string) => ({
  body: new TextEncoder().encode(text),
  gzip: new TextEncoder().encode(`compressed ${text}`),
  type,
})
const studio = new Map([
  ['index.html', file('the page', 'text/html; charset=utf-8')],
  ['assets/index-1a2b.js', file('the script', 'text/javascript; charset=utf-8')],
])

describe('the page of the studio', () => {
  it('the server answers every address of the page with the page, without a key', async () => {
    const keys = [{ name: 'alice', hash: hashApiKey('key-of-alice') }]
    const { send } = createTestApp({ studio, keys })
    for (const path of ['/studio/', '/studio/index.html', '/studio/runs/some-run', '/studio/approvals']) {
      const response = await send(path)
      expect([path, response.status, await response.text()]).toEqual([path, 200, 'the page'])
      expect(response.headers.get('cache-control')).toBe('no-cache')
    }
    const redirect = await send('/studio')
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, '/studio/'])
  })

  it('the page may load only files of its server, and no inline script or style', async () => {
    const { headers } = await createTestApp({ studio }).send('/studio/')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('a file that is named by its digest is kept by browsers, and compressed for those that accept it', async () => {
    const { send } = createTestApp({ studio })
    const plain = await send('/studio/assets/index-1a2b.js')
    expect([await plain.text(), plain.headers.get('content-encoding')]).toEqual(['the script', null])
    expect(plain.headers.get('cache-control')).toContain('immutable')
    const compressed = await send('/studio/assets/index-1a2b.js', { headers: { 'accept-encoding': 'br, gzip' } })
    expect([await compressed.text(), compressed.headers.get('content-encoding')]).toEqual([
      'compressed the script',
      'gzip',
    ])
  })

  it('an unknown file, and the page of a server without it, are answered with 404', async () => {
    const { send } = createTestApp({ studio })
    for (const path of ['/studio/assets/missing.js', '/studio/package.json', '/studio/..%2f..%2fpackage.json'])
      expect([path, (await send(path)).status]).toEqual([path, 404])
    expect((await createTestApp().send('/studio/')).status).toBe(404)
  })
})
