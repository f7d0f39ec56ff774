import { once } from 'node:events'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCli, type Cli } from '../../__fixtures__/open-cli.ts'
import { openOAuthServer, type OAuthServer } from '../../__fixtures__/open-oauth-server.ts'

/** A browser whose user approves every page. */
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
  // xdg-open is the program on Linux, open the one on macOS.
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
  it('parley mcp auth signs in with the browser, and other commands use the token', async () => {
    await using scene = await openScene()
    const { cli, server, tokens } = scene
    expect((await cli.run('mcp', 'call', 'web', 'whoami')).error).toMatch(/^parley: MCP server 'web' is not authorized/)
    expect(server.pages).toBe(0)
    expect(await cli.run('mcp', 'auth', 'web')).toEqual({
      code: 0,
      out: 'Signed in to web: 1 tools.\n',
      error: expect.stringMatching(/^Approve the access on this page: http:\S+\n$/) as string,
    })
    expect([server.pages, (await stat(tokens)).mode & 0o777]).toEqual([1, 0o600])
    expect(await cli.run('mcp', 'call', 'web', 'whoami')).toEqual({ code: 0, out: 'you\n', error: '' })
    expect(server.pages).toBe(1)
  })

  it('parley mcp auth replaces an existing token', async () => {
    await using scene = await openScene()
    const { cli, server, tokens } = scene
    await cli.run('mcp', 'auth', 'web')
    const before = await readFile(tokens, 'utf8')
    expect((await cli.run('mcp', 'auth', 'web')).code).toBe(0)
    expect(server.pages).toBe(2)
    expect(await readFile(tokens, 'utf8')).not.toBe(before)
  })

  it('parley mcp auth --no-browser prints the address without opening a browser', async () => {
    await using scene = await openScene()
    const { child, ended } = scene.cli.start('mcp', 'auth', 'web', '--no-browser')
    const [line] = (await once(child.stderr ?? child, 'data')) as [Buffer]
    const [address = ''] = /http:\S+/.exec(line.toString()) ?? []
    expect(scene.server.pages).toBe(0)
    await (await fetch(address)).text()
    expect(await ended).toMatchObject({ code: 0, out: 'Signed in to web: 1 tools.\n' })
  })

  it('parley mcp auth reports a denied access in one line', async () => {
    await using scene = await openScene()
    scene.server.agrees = false
    const { code, out, error } = await scene.cli.run('mcp', 'auth', 'web')
    expect([code, out]).toEqual([2, ''])
    expect(error.trimEnd().split('\n').at(-1)).toMatch(/^parley: .*access_denied/)
  })
})
