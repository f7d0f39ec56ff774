import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { openCli } from '../../__fixtures__/open-cli.ts'

interface Behaviour {
  /** Documents by path. */
  readonly documents: Readonly<Record<string, unknown>>
  /** Text of the model. */
  readonly answer: string
  readonly callsTools: boolean
}

/** Opens a server with the given behavior. */
async function openServer({ documents, answer: reply, callsTools }: Behaviour) {
  const paths: string[] = []
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    paths.push(path)
    const json = { 'content-type': 'application/json' }
    if (path !== '/v1/chat/completions') {
      const found = documents[path]
      if (found === undefined) response.writeHead(404).end('404 page not found')
      else response.writeHead(200, json).end(JSON.stringify(found))
      return
    }
    const { tools } = JSON.parse(await text(request)) as { tools?: readonly { function: { name: string } }[] }
    const name = tools?.[0]?.function.name
    const delta =
      name !== undefined && callsTools
        ? { tool_calls: [{ index: 0, id: 'c', function: { name, arguments: '{"ready":true}' } }] }
        : { content: reply }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const chunk = {
      choices: [{ index: 0, delta, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 1 },
    }
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    paths,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const listing = (entry: object) => ({ '/v1/models': { data: [{ id: 'qwen', ...entry }] } })

it('parley doctor finds the quirk profile of a server and what its model can do', async () => {
  await using server = await openServer({
    documents: listing({ owned_by: 'vllm', max_model_len: 4096 }),
    answer: '<think>Easy.</think>ready',
    callsTools: true,
  })
  await using cli = await openCli()
  const { code, out, error } = await cli.run('doctor', '--base-url', server.url)
  expect(error).toBe('')
  expect(out).toContain("quirk profile 'vllm' (its list of models is owned by vllm); the server lists 1 model")
  expect(out).toContain('qwen streams its answer, with separate reasoning, with token counts')
  expect(out).toContain('qwen calls a tool when asked to')
  expect(code).toBe(0)
  expect(server.paths.length).toBeLessThan(8)
})

it('parley doctor names the quirks of an unknown server and reports that its model calls no tools', async () => {
  await using server = await openServer({
    documents: listing({ owned_by: 'me' }),
    answer: '<think>Easy.</think>ready',
    callsTools: false,
  })
  await using cli = await openCli()
  const { code, out } = await cli.run('doctor', '--base-url', server.url)
  expect(out).toContain("'generic' (without evidence for another profile)")
  expect(out).toContain("set quirks.thinkTags to 'split'")
  expect(out).toMatch(/fault calls .*Agents with tools require another model/)
  expect(code).toBe(2)
})

it('parley doctor names the tools of an MCP server whose schemas cannot be used', async () => {
  await using cli = await openCli()
  const server = join(cli.dir, 'server.mjs')
  const tool = { name: 'odd', inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/missing' } } } }
  const info = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
  await writeFile(
    server,
    `import { createInterface } from 'node:readline'
     const answers = { initialize: ${JSON.stringify(info)}, 'tools/list': ${JSON.stringify({ tools: [tool] })} }
     createInterface({ input: process.stdin }).on('line', line => {
       const { id, method } = JSON.parse(line)
       if (id !== undefined)
         console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(answers[method] ? { result: answers[method] } : { error: { code: -32601, message: 'unknown' } }) }))
     })`,
  )
  const config = join(cli.dir, 'mcp.json')
  await writeFile(config, JSON.stringify({ mcpServers: { s: { command: process.execPath, args: [server] } } }))
  const { code, out } = await cli.run('doctor', '--db', ':memory:', '--mcp', config)
  expect(out).toMatch(/fault agent .*without 1 of the tools.*mcp__s__odd.*#\/\$defs\/missing/)
  expect(code).toBe(2)
})

it('parley doctor requires --model if the server lists no models', async () => {
  await using server = await openServer({
    documents: { '/api/version': { version: '0.9.0' } },
    answer: 'ready',
    callsTools: true,
  })
  await using cli = await openCli()
  const nameless = await cli.run('doctor', '--base-url', server.url)
  expect(nameless.out).toContain('--model: is required, because the server lists no models')
  const { out } = await cli.run('doctor', '--base-url', server.url, '--model', 'qwen')
  expect(out).toContain("'ollama' (it answers at /api/version)")
  expect(out).toContain('qwen streams its answer, with token counts')
})

it('parley doctor says which sandbox the shell tool uses', async () => {
  await using cli = await openCli()
  const { out } = await cli.run('doctor', '--model', 'demo', '--db', ':memory:')
  expect(out).toMatch(/ok +sandbox +(?:bubblewrap|none): /)
})
