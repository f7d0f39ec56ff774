import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { openCli, type Cli } from '../__fixtures__/open-cli.ts'

/** Starts the server and returns its address when it listens. */
async function serve(cli: Cli, ...args: string[]) {
  const { child, ended } = cli.start('serve', '--model', 'demo', '--port', '0', ...args)
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer]
  const [url = ''] = /http:\S+/.exec(line.toString()) ?? []
  return { url, child, ended }
}

const body = JSON.stringify({
  input: [{ role: 'user', content: [{ type: 'text', text: 'What is 6 * 7?' }] }],
  session_id: 'talk',
  stream: false,
})

describe('parley serve', () => {
  it('parley serve serves the agent, stores its runs, and closes on SIGTERM', async () => {
    await using cli = await openCli()
    const { url, child, ended } = await serve(cli)
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'ok' })
    const answer = await (await fetch(`${url}/process`, { method: 'POST', body })).text()
    expect(answer).toContain('42')
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
    expect((await cli.run('trace')).out).toContain('42')
  })

  it('parley serve obeys --on-busy', async () => {
    await using cli = await openCli()
    const { url, child, ended } = await serve(cli, '--on-busy', 'queue', '--on-busy', 'ag-ui=refuse')
    const ask = async () => (await fetch(`${url}/process`, { method: 'POST', body })).text()
    const answers = await Promise.all([ask(), ask(), ask()])
    for (const answer of answers) expect(answer).toContain('42')
    child.kill('SIGTERM')
    await ended
  })

  it('parley serve offers its tools to MCP clients', async () => {
    await using cli = await openCli()
    const { url, child, ended } = await serve(cli)
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)))
    const answer = await client.callTool({ name: 'calculator', arguments: { expression: '6 * 7' } })
    expect(JSON.stringify(answer.content)).toContain('42')
    await client.close()
    child.kill('SIGTERM')
    await ended
  })

  it('parley serve requires a key of PARLEY_API_KEYS', async () => {
    await using cli = await openCli({ environment: { PARLEY_API_KEYS: 'a-long-and-random-key' } })
    const { url, child, ended } = await serve(cli)
    expect((await fetch(`${url}/sessions`)).status).toBe(401)
    const headers = { authorization: 'Bearer a-long-and-random-key' }
    expect((await fetch(`${url}/sessions`, { headers })).status).toBe(200)
    child.kill('SIGINT')
    await ended
  })

  it('each name in PARLEY_API_KEYS sees only its own sessions, and each key without a name has a scope of its own', async () => {
    const keys = ['a-long-random-key-1', 'b-long-random-key-2', 'c-long-random-key-3', 'd-long-random-key-4']
    const [alice, bob, third, fourth] = keys
    await using cli = await openCli({
      environment: { PARLEY_API_KEYS: `alice:${alice},bob:${bob},${third},${fourth}` },
    })
    const { url, child, ended } = await serve(cli)
    const as = (key: string | undefined) => ({ headers: { authorization: `Bearer ${key}` } })
    await fetch(`${url}/process`, { method: 'POST', body, ...as(alice) })
    await fetch(`${url}/process`, { method: 'POST', body: body.replace('talk', 'chat'), ...as(third) })
    const seen = keys.map(async key => {
      const { data } = (await (await fetch(`${url}/sessions`, as(key))).json()) as { data: { id: string }[] }
      return data.map(({ id }) => id)
    })
    expect(await Promise.all(seen)).toEqual([['talk'], [], ['chat'], []])
    child.kill('SIGINT')
    await ended
  })

  it.each([
    ['tokens without an audience', ['--jwt-issuer', 'https://id.example'], /--jwt-audience: is required/],
    ['an invalid port', ['--port', 'x'], /--port: must be an integer from 0 to 65535, not 'x'/],
    ['an unknown protocol', ['--on-busy', 'http=queue'], /--on-busy: must be one of agent-api.*, not 'http'/],
    ['an unknown rule', ['--on-disconnect', 'wait'], /--on-disconnect: must be one of continue, cancel, not 'wait'/],
    ['a public address without keys', ['--host', '0.0.0.0'], /requires keys/],
  ])('parley serve rejects %s', async (_, args, message) => {
    await using cli = await openCli()
    const { code, error } = await cli.run('serve', '--model', 'demo', ...args)
    expect(code).toBe(2)
    expect(error).toMatch(message)
  })
})
