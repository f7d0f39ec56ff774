import { once } from 'node:events'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCli, type Cli } from '../../__fixtures__/open-cli.ts'
import { openOAuthServer, type OAuthServer } from '../../__fixtures__/open-oauth-server.ts'

/** A browser whose user agrees to whatever page is opened. */
const BROWSER = `#!${process.execPath}
fetch(process.argv[2]).then(response => response.text())
`

interface Scene extends AsyncDisposable {
  readonly cli: Cli
  readonly server: OAuthServer
  readonly tokens: string
}

async function openScene(): Promise<Scene> {
  const server = await openOAuthServer()
  // The programs that open a page, on every platform.
  const cli = await openCli({ environment: { PARLEY_MCP_TOKENS: 'tokens.json', PATH: `bin:${process.env['PATH']}` } })
  await mkdir(join(cli.dir, 'bin'))
  for (const name of ['xdg-open', 'open']) {
    await writeFile(join(cli.dir, 'bin', name), BROWSER)
    await chmod(join(cli.dir, 'bin', name), 0o755)
  }
  expect((await cli.run('mcp', 'add', 'web', '--url', server.url)).code).toBe(0)
  return {
    cli,
    server,
    tokens: join(cli.dir, 'tokens.json'),
    async [Symbol.asyncDispose]() {
      await cli[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

describe('parley mcp auth', () => {
  it('signs in in the browser, and the other commands use the token from then on', async () => {
    await using scene = await openScene()
    const { cli, server, tokens } = scene
    expect((await cli.run('mcp', 'call', 'web', 'whoami')).error).toMatch(/^parley: MCP server 'web' is not authorized/)
    expect(server.pages).toBe(0)
    expect(await cli.run('mcp', 'auth', 'web')).toEqual({
      code: 0,
      out: 'signed in to web: 1 tools\n',
      error: expect.stringMatching(/^Agree on this page, then come back: http:\S+\n$/) as string,
    })
    expect([server.pages, (await stat(tokens)).mode & 0o777]).toEqual([1, 0o600])
    expect(await cli.run('mcp', 'call', 'web', 'whoami')).toEqual({ code: 0, out: 'you\n', error: '' })
    expect(server.pages).toBe(1)
  })

  it('signs in again, as somebody else perhaps', async () => {
    await using scene = await openScene()
    const { cli, server, tokens } = scene
    await cli.run('mcp', 'auth', 'web')
    const before = await readFile(tokens, 'utf8')
    expect((await cli.run('mcp', 'auth', 'web')).code).toBe(0)
    expect(server.pages).toBe(2)
    expect(await readFile(tokens, 'utf8')).not.toBe(before)
  })

  it('prints the address alone where there is no browser', async () => {
    await using scene = await openScene()
    const { child, ended } = scene.cli.start('mcp', 'auth', 'web', '--no-browser')
    const [line] = (await once(child.stderr ?? child, 'data')) as [Buffer]
    const [address = ''] = /http:\S+/.exec(line.toString()) ?? []
    expect(scene.server.pages).toBe(0)
    await (await fetch(address)).text()
    expect(await ended).toMatchObject({ code: 0, out: 'signed in to web: 1 tools\n' })
  })

  it('says so in one line when the person says no', async () => {
    await using scene = await openScene()
    scene.server.agrees = false
    const { code, out, error } = await scene.cli.run('mcp', 'auth', 'web')
    expect([code, out]).toEqual([2, ''])
    expect(error.trimEnd().split('\n').at(-1)).toMatch(/^parley: .*access_denied/)
  })
})
