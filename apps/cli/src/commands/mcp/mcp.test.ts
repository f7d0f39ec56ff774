import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openCli, type Cli } from '../../__fixtures__/open-cli.ts'

const FILES = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'))

const addFiles = (cli: Cli): ReturnType<Cli['run']> =>
  cli.run('mcp', 'add', 'files', '--', process.execPath, FILES, cli.dir)

describe('parley mcp', () => {
  it('parley mcp adds a server, lists it with its tools, and calls one', async () => {
    await using cli = await openCli()
    await writeFile(join(cli.dir, 'a.txt'), 'hello')
    expect(await addFiles(cli)).toEqual({ code: 0, out: 'Added files to mcp.json.\n', error: '' })
    expect(await cli.run('mcp', 'list')).toEqual({
      code: 0,
      out: expect.stringMatching(
        /^ok {4}files stdio 14 tools, protocol \d{4}-\d\d-\d\d, server secure-filesystem-server \S+\n$/,
      ) as string,
      error: '',
    })
    const { out } = await cli.run('mcp', 'tools', 'files')
    expect(out).toMatch(/^read_text_file {2,}\S/m)
    const path = join(cli.dir, 'a.txt')
    expect(await cli.run('mcp', 'call', 'files', 'read_text_file', JSON.stringify({ path }))).toEqual({
      code: 0,
      out: 'hello\n',
      error: '',
    })
    expect((await cli.run('mcp', 'call', 'files', 'read_text_file', `path=${path}`, 'head=1')).out).toBe('hello\n')
    expect((await cli.run('mcp', 'call', 'files', 'read_text_file', 'path=a', 'oops')).error).toContain(
      "arguments: must be key=value pairs, or one JSON object, not 'oops'",
    )
  })

  it('parley mcp reports an error in one line and by its exit code', async () => {
    await using cli = await openCli()
    expect(await cli.run('mcp', 'list')).toEqual({
      code: 2,
      out: '',
      error: "parley: Cannot read mcp.json: the file does not exist; 'parley mcp add' creates one\n",
    })
    await addFiles(cli)
    expect((await cli.run('mcp', 'tools', 'nope')).error).toBe(
      "parley: mcp.json: server 'nope' is unknown; known: files\n",
    )
    const failed = await cli.run('mcp', 'call', 'files', 'read_text_file', '{"path":"/etc/hostname"}')
    expect([failed.code, failed.out]).toEqual([1, expect.stringContaining('denied')])
    expect((await cli.run('mcp', 'call', 'files', 'read_text_file', '[]')).error).toBe(
      'parley: arguments: must be key=value pairs, or one JSON object\n',
    )
    expect((await cli.run('mcp', 'auth', 'files')).error).toContain('requires no sign-in')
    await cli.run('mcp', 'add', 'gone', '--', '/no/such/program')
    const listed = await cli.run('mcp', 'list')
    expect([listed.code, listed.out]).toEqual([2, expect.stringMatching(/^fault gone  stdio .*was not found/m)])
  })

  it('parley mcp add keeps the rest of the file and replaces a server only with --force', async () => {
    await using cli = await openCli()
    const path = join(cli.dir, 'mcp.json')
    await writeFile(path, '{"note":1,"mcpServers":{"a":{"command":"x"}}}')
    const url = 'https://mcp.example/'
    const added = await cli.run('mcp', 'add', 'web', '--url', url, '--header', 'authorization=Bearer a=b')
    expect(added.code).toBe(0)
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
      note: 1,
      mcpServers: { a: { command: 'x' }, web: { type: 'http', url, headers: { authorization: 'Bearer a=b' } } },
    })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await cli.run('mcp', 'add', 'a', '--env', 'K=v', '--', 'y', '-z')).error).toContain('--force replaces it')
    await cli.run('mcp', 'add', 'a', '--force', '--env', 'K=v', '--', 'y', '-z')
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({
      mcpServers: { a: { command: 'y', args: ['-z'], env: { K: 'v' } } },
    })
    await writeFile(path, '{"servers":{"a":{"type":"stdio","command":"x"}}}')
    await cli.run('mcp', 'add', 'b', '--', 'y')
    const other = { servers: { a: { type: 'stdio', command: 'x' }, b: { command: 'y', args: [] } } }
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(other)
    for (const wrong of [['b'], ['b', '--url', 'ftp://x'], ['a b', '--', 'x'], ['b', '--env', 'K', '--', 'x']]) {
      expect([wrong, (await cli.run('mcp', 'add', ...wrong)).code]).toEqual([wrong, 2])
    }
  })

  it('parley mcp list names the servers that require a sign-in', async () => {
    const guarded = createServer((_, response) => void response.writeHead(401).end())
    await new Promise<void>(resolve => guarded.listen(0, '127.0.0.1', resolve))
    const { port } = guarded.address() as AddressInfo
    try {
      await using cli = await openCli({ environment: { PARLEY_MCP_TOKENS: 'tokens.json' } })
      await cli.run('mcp', 'add', 'web', '--url', `http://127.0.0.1:${port}/`)
      expect(await cli.run('mcp', 'list')).toEqual({
        code: 2,
        out: 'auth  web http  sign in with: parley mcp auth web\n',
        error: '',
      })
    } finally {
      guarded.closeAllConnections()
      await new Promise(resolve => guarded.close(resolve))
    }
  })
})
