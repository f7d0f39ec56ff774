import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openCli, type Cli, type CliOptions } from './__fixtures__/open-cli.ts'
import { openCollector } from './__fixtures__/open-collector.ts'
import { openModelServer } from './__fixtures__/open-model-server.ts'

const SERVER = join(import.meta.dirname, '../../../packages/mcp/src/__fixtures__/scripted.mjs')
const EVERYTHING = join(import.meta.dirname, '../../../examples/config-file/everything.yaml')
const RECORD = pathToFileURL(join(import.meta.dirname, '__fixtures__/record-imports.mjs')).href

/** An mcp.json file, or a section of a configuration file: one server that works, and one that does not start. */
const SERVERS = JSON.stringify({
  fix: { command: process.execPath, args: [SERVER] },
  dying: { command: process.execPath, args: ['-e', 'process.exit(3)'] },
})

async function setUp(files: Readonly<Record<string, string>>, options: CliOptions = {}): Promise<Cli> {
  const cli = await openCli(options)
  for (const [name, text] of Object.entries(files)) await writeFile(join(cli.dir, name), text)
  return cli
}

const TOOLS = `
export const order = {
  name: 'order', description: 'd', input: { type: 'object' }, effect: 'read', execute: () => 'sent on Monday'
}
`
const HOOKS = `
import { appendFileSync } from 'node:fs'
export const afterTool = call => appendFileSync('hooks.txt', call.tool.name + '\\n')
`

describe('parley run with a composed file', () => {
  it('parley run uses the toolsets, hooks, input filters, MCP servers, skills and event bus of a file', async () => {
    await using server = await openModelServer([[{ name: 'order', input: {} }], 'It was sent on Monday.'])
    await using cli = await setUp({
      'tools.mjs': TOOLS,
      'hooks.mjs': HOOKS,
      'parley.yaml': `
providers: { house: { type: openai, baseUrl: "${server.url}", apiKey: k } }
toolsets: { orders: { type: module, module: tools.mjs } }
middleware: { watch: { type: hooks, module: hooks.mjs }, tries: { type: tool-retry, maxRetries: 1 } }
mcpServers: { fix: ${JSON.stringify({ command: process.execPath, args: [SERVER] })} }
bus: { subscribers: { log: { type: file, path: events.jsonl, events: [run.ended, mcp.server.stopped] } } }
defaults: { model: house/test-model, middleware: [watch] }
agents: { clerk: { tools: [orders, fix], middleware: [tries, pii] } }`,
    })
    const { code, out, error } = await cli.run('run', '-q', '--config', 'parley.yaml', 'Where is it? ann@example.org')
    expect([code, error, out]).toEqual([0, '', 'It was sent on Monday.\n'])
    expect(await readFile(join(cli.dir, 'hooks.txt'), 'utf8')).toBe('order\n')
    const events = (await readFile(join(cli.dir, 'events.jsonl'), 'utf8')).trim().split('\n')
    expect(events.map(line => (JSON.parse(line) as { type: string }).type)).toEqual(['run.ended', 'mcp.server.stopped'])
    const told = JSON.stringify(server.requests)
    expect(told).toContain('mcp__fix__')
    expect(told).not.toContain('ann@example.org')
  })

  it('parley run shows a tool that throws once, without a stack', async () => {
    await using server = await openModelServer([[{ name: 'order', input: {} }], 'I could not look.'])
    await using cli = await setUp({
      'tools.mjs': TOOLS.replace("'sent on Monday'", "{ throw new Error('no connection') }"),
      'parley.yaml': `
providers: { house: { type: openai, baseUrl: "${server.url}", apiKey: k } }
toolsets: { orders: { type: module, module: tools.mjs } }
defaults: { model: house/test-model }
agents: { clerk: { tools: [orders] } }`,
    })
    const { code, out, error } = await cli.run('run', '--config', 'parley.yaml', 'Where is it?')
    expect(code).toBe(0)
    expect(out + error).not.toMatch(/tools\.mjs:|at execute/)
    expect((out + error).match(/no connection/g)).toHaveLength(1)
  })
})

describe('parley config check with parts', () => {
  it('parley config check accepts the example that uses everything, and starts none of its servers', async () => {
    await using cli = await openCli({ environment: { OPENAI_API_KEY: 'sk-example' } })
    const { code, out, error } = await cli.run('config', 'check', EVERYTHING)
    expect([code, error]).toEqual([0, ''])
    expect(out).toMatch(/clerk: openai\/gpt-5-mini, calculator, .*look_up_order, locate, docs, graph, read_skill, /)
  })

  it('parley config check lists all problems of a file, also when one of them is a schema fault', async () => {
    await using cli = await setUp({
      'bad.yaml': `
toolsets: { commands: { type: shell, polcy: coder } }
middleware: { guard: { type: loop-gard } }
agents:
  clerk: { model: demo, onLimit: halt, tools: [calcualtor] }
`,
    })
    const { code, error } = await cli.run('config', 'check', 'bad.yaml')
    expect(code).toBe(2)
    expect(error.trim().split('\n')).toEqual([
      'parley: bad.yaml: 4 problems:',
      "(1) line 2: toolsets.commands.polcy is an unknown key; did you mean 'policy'?",
      "(2) line 3: middleware.guard.type names the middleware type 'loop-gard', which is not registered; did you mean 'loop-guard'?",
      "(3) line 5: agents.clerk.onLimit must be 'stop', 'fail' or 'answer'",
      "(4) line 5: agents.clerk.tools[0] names the tool 'calcualtor', which is not registered; did you mean 'calculator'?",
    ])
  })
})

describe('parley run with an invalid file', () => {
  it('parley run lists all problems of the file, and creates no database', async () => {
    await using cli = await setUp({
      'bad.yaml': 'agents: { clerk: { model: demo, onLimit: halt, tools: [calculator, order, calcualtor] } }',
      'tools.mjs': TOOLS,
    })
    const { code, error } = await cli.run('run', '--config', 'bad.yaml', '--tools', 'tools.mjs', 'hi')
    expect(code).toBe(2)
    expect(error).toMatch(/2 problems: \(1\) .*onLimit must be .* \(2\) .*'calcualtor', which is not registered/)
    expect(existsSync(join(cli.dir, '.parley'))).toBe(false)
  })
})

describe('the startup policy of MCP servers', () => {
  it('parley run fails if an MCP server does not start, and continues without it with --mcp-startup-policy', async () => {
    await using cli = await setUp({ 'mcp.json': `{"mcpServers": ${SERVERS}}` })
    const strict = await cli.run('run', '-q', '--mcp', 'mcp.json', '2 + 2')
    expect([strict.code, strict.error]).toEqual([2, expect.stringContaining("MCP server 'dying' failed")])
    const policy = ['--mcp-startup-policy', 'log-and-continue']
    const tolerant = await cli.run('run', '-q', '--mcp', 'mcp.json', ...policy, '2 + 2')
    expect([tolerant.code, tolerant.out]).toEqual([0, '2 + 2 = 4.\n'])
    expect(tolerant.error).toMatch(/^parley: continuing without the MCP server 'dying': .*\n$/)
    const { error } = await cli.run('run', '--mcp-startup-policy', 'maybe', 'x')
    expect(error).toContain('Allowed choices are fail-fast, log-and-continue')
  })

  it('the startup policy of a file counts, unless the flag says otherwise', async () => {
    await using cli = await setUp({
      'parley.yaml': `
mcpServers: ${SERVERS}
mcpStartupPolicy: log-and-continue
agents: { clerk: { model: demo, tools: [calculator, fix, dying] } }`,
    })
    const tolerant = await cli.run('run', '-q', '--config', 'parley.yaml', '2 + 2')
    expect([tolerant.code, tolerant.out]).toEqual([0, '2 + 2 = 4.\n'])
    expect(tolerant.error).toContain("continuing without the MCP server 'dying'")
    const policy = ['--mcp-startup-policy', 'fail-fast']
    const strict = await cli.run('run', '-q', '--config', 'parley.yaml', ...policy, '2 + 2')
    expect([strict.code, strict.error]).toEqual([2, expect.stringContaining("MCP server 'dying' failed")])
  })
})

describe('traces', () => {
  it('parley run sends its spans to the collector of the OTEL_* variables', async () => {
    await using collector = await openCollector()
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'shop' }
    await using cli = await openCli({ environment })
    expect(await cli.run('run', '-q', '2 + 2')).toEqual({ code: 0, out: '2 + 2 = 4.\n', error: '' })
    expect(collector.spans()).toEqual(
      expect.arrayContaining(['invoke_agent assistant', 'chat offline', 'execute_tool calculator']),
    )
    expect(collector.services()).toEqual([{ stringValue: 'shop' }])
  })

  it('parley run sends its spans to the collector of a file, and none without the section or a variable', async () => {
    await using collector = await openCollector()
    await using cli = await setUp({
      'on.yaml': `otel: { endpoint: "${collector.url}/v1/traces" }\nagents: { clerk: { model: demo } }`,
      'off.yaml': 'agents: { clerk: { model: demo } }',
    })
    await cli.run('run', '-q', '--config', 'off.yaml', '2 + 2')
    expect(collector.spans()).toEqual([])
    await cli.run('run', '-q', '--config', 'on.yaml', '2 + 2')
    expect(collector.spans()).toContain('invoke_agent clerk')
    expect(collector.services()).toEqual([{ stringValue: 'parley' }])
  })

  it('parley serve sends the spans of its runs, at the latest when it closes', async () => {
    await using collector = await openCollector()
    await using cli = await openCli({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
    const { child, ended } = cli.start('serve', '--port', '0')
    const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer]
    const [url = ''] = /http:\S+/.exec(line.toString()) ?? []
    const body = JSON.stringify({ model: 'assistant', messages: [{ role: 'user', content: '2 + 2' }] })
    await (await fetch(`${url}/v1/chat/completions`, { method: 'POST', body })).text()
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
    expect(collector.spans()).toContain('invoke_agent assistant')
  })
})

describe('the start of the command', () => {
  /** Names of the packages that a command loads. */
  async function packagesOf(...args: string[]): Promise<readonly string[]> {
    await using cli = await setUp(
      { 'parley.yaml': 'agents: { clerk: { model: demo, tools: [calculator] } }' },
      { isUnbundled: true, environment: { NODE_OPTIONS: `--import=${RECORD}`, IMPORTS: 'imports.txt' } },
    )
    expect((await cli.run(...args)).code).toBe(0)
    const urls = (await readFile(join(cli.dir, 'imports.txt'), 'utf8')).split('\n')
    const names = urls.flatMap(
      url => /\/packages\/((?:providers\/|stores\/)?[\w-]+)\/|\/(@opentelemetry)\//.exec(url)?.slice(1, 3) ?? [],
    )
    return [...new Set(names)].filter(name => name !== undefined).toSorted()
  }

  const OPTIONAL = ['@opentelemetry', 'evals', 'event-bus', 'mcp', 'middleware', 'otel', 'postgres']

  it.each([
    ['parley --help', ['--help']],
    ['a simple run', ['run', '-q', '2 + 2']],
    ['a run of a file that names none of them', ['run', '-q', '--config', 'parley.yaml', '2 + 2']],
  ])('%s loads no package for middleware, MCP, events or traces', async (_, args) => {
    const loaded = await packagesOf(...args)
    expect(loaded.includes('core')).toBe(args[0] !== '--help')
    expect(loaded.filter(name => OPTIONAL.includes(name))).toEqual([])
  })
})
