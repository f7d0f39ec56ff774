// Deep: it builds a part of the site and shows its pages in Chromium.
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import type { AxeResults } from 'axe-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notTriedInBrowser, openChromium } from '@parley/browser'

const TIMEOUT = 600_000
const PAGES = ['/', '/start/node', '/concepts/effects', '/guides/engine', '/errors/model-auth']
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

describe('the built site in Chromium', { timeout: TIMEOUT }, () => {
  let out = ''
  let chromium: Awaited<ReturnType<typeof openChromium>>
  const server = createServer(({ url = '/' }, response) => {
    const path = join(out, 'site', new URL(url, 'http://site').pathname)
    const file = [path, `${path}.html`, join(path, 'index.html')].find(each => extname(each) !== '' && existsSync(each))
    response.setHeader('content-type', TYPES[extname(file ?? '')] ?? 'application/octet-stream')
    response.statusCode = file === undefined ? 404 : 200
    response.end(file === undefined ? '' : readFileSync(file))
  })
  let origin = ''

  beforeAll(async () => {
    // Pages find the packages of VitePress only from a folder below this package.
    const dist = join(import.meta.dirname, '../dist')
    await mkdir(dist, { recursive: true })
    out = await mkdtemp(join(dist, 'test-'))
    const script = join(import.meta.dirname, 'build-site.ts')
    const args = ['--conditions=@parley/source', script, '--sample', '--out', out]
    const building = promisify(execFile)(process.execPath, args)
    chromium = await openChromium()
    await building
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }, TIMEOUT)
  afterAll(async () => {
    await chromium?.[Symbol.asyncDispose]()
    server.closeAllConnections()
    server.close()
    await rm(out, { recursive: true, force: true })
  })

  it.for(PAGES)('axe finds no violation on %s', async (path, context) => {
    const page = await chromium?.browser.newPage()
    if (page === undefined) return notTriedInBrowser(context)
    await page.goto(origin + path)
    await page.waitForFunction('document.querySelector("#app")?.__vue_app__ !== undefined')
    await page.evaluate(AXE)
    const { violations, passes } = (await page.evaluate('axe.run()')) as AxeResults
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html.slice(0, 160)).join(' ')}`)).toEqual(
      [],
    )
    expect(passes.length).toBeGreaterThan(10)
    await page.close()
  })

  it('a page has its text, its drawing and its links without JavaScript', async context => {
    const browsing = await chromium?.browser.newContext({ javaScriptEnabled: false })
    const page = await browsing?.newPage()
    if (page === undefined) return notTriedInBrowser(context)
    await page.goto(`${origin}/concepts/effects`)
    expect(await page.locator('main h1').textContent()).toContain('Effects and resume')
    expect(await page.locator('main svg title').first().textContent()).toBe('A tool call and a crash')
    expect(await page.locator('main pre code').first().textContent()).toContain('defineTool')
    await page.locator('main a', { hasText: 'tool-interrupted' }).first().click()
    expect(await page.locator('main h1').textContent()).toContain('tool-interrupted')
    await browsing?.close()
  })

  it('the site has the reference of an entry point, with its functions', () => {
    const page = readFileSync(join(out, 'pages/api/@parley/memory-store.md'), 'utf8')
    expect(page).toContain('createMemoryStore()')
    expect(readFileSync(join(out, 'site/api/@parley/memory-store.html'), 'utf8')).toContain('createMemoryStore()')
  })

  it('the site has llms.txt, llms-full.txt and each page as Markdown', () => {
    const read = (path: string): string => readFileSync(join(out, 'site', path), 'utf8')
    expect(read('llms.txt')).toMatch(/\[Effects and resume\]\(\/concepts\/effects\.md\)/)
    expect(read('llms-full.txt')).toContain('# Effects and resume')
    for (const path of PAGES.slice(1)) expect(read(`${path}.md`)).toMatch(/^# |\n# /)
  })
})
