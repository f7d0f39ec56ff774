import { ParleyError } from '@parley/core'
import { expect, it } from 'vitest'
import { parseMcpConfig } from './parse-mcp-config.ts'

function parse(mcpServers: unknown, environment: Record<string, string> = {}): unknown {
  try {
    return parseMcpConfig(JSON.stringify({ mcpServers }), { environment })
  } catch (error) {
    return ParleyError.is(error, 'config-invalid') ? `${error.info.path}: ${error.info.detail}` : error
  }
}

it('reads servers that are processes and servers behind URLs, in order', () => {
  const servers = {
    fs: { command: 'npx', args: ['-y', 'server-fs'], env: { A: '1' }, cwd: '/srv', autoApprove: ['x'] },
    web: { url: 'https://mcp.example/x', headers: { authorization: 'Bearer 1' } },
    old: { type: 'sse', url: 'https://mcp.example/sse' },
    new: { type: 'streamable-http', url: 'https://mcp.example/x' },
    off: { command: 'x', disabled: true },
  }
  expect(parse(servers)).toEqual([
    { transport: 'stdio', name: 'fs', command: 'npx', args: ['-y', 'server-fs'], env: { A: '1' }, cwd: '/srv' },
    { transport: 'http', name: 'web', url: 'https://mcp.example/x', headers: { authorization: 'Bearer 1' } },
    { transport: 'sse', name: 'old', url: 'https://mcp.example/sse' },
    { transport: 'http', name: 'new', url: 'https://mcp.example/x' },
  ])
})

it('reads what is ours as well, and the key of other editors', () => {
  const fs = {
    type: 'stdio',
    command: 'x',
    startupTimeoutMs: 5,
    callTimeoutMs: 6,
    protocol: 'auto',
    tools: { deny: ['rm'] },
  }
  const text = JSON.stringify({ inputs: [], servers: { fs } })
  const { type: _, ...fields } = fs
  expect(parseMcpConfig(text)).toEqual([{ transport: 'stdio', name: 'fs', ...fields }])
  expect(() => parseMcpConfig('{"servers":{"fs":{"command":"x","callTimeoutMs":0}}}')).toThrow(
    'mcp.json#servers.fs.callTimeoutMs: is 0',
  )
})

it('fills in variables in every string, and defaults for those that are not set', () => {
  const servers = { fs: { command: '${BIN}/fs', args: ['${ROOT:-/srv}', '$HOME', '${A}${A}'], env: { T: '${env:A}' } } }
  expect(parse(servers, { BIN: '/bin', A: 'a' })).toEqual([
    { transport: 'stdio', name: 'fs', command: '/bin/fs', args: ['/srv', '$HOME', 'aa'], env: { T: 'a' } },
  ])
})

it('does not expand what a variable brings in', () => {
  const servers = { fs: { command: '${A}' } }
  expect(parse(servers, { A: '${B}', B: 'b' })).toEqual([{ transport: 'stdio', name: 'fs', command: '${B}' }])
})

it.each([
  [undefined, 'mcp.json#mcpServers: is missing'],
  [[], 'mcp.json#mcpServers: must be an object'],
  [{ fs: 'npx' }, 'mcp.json#mcpServers.fs: must be an object'],
  [{ fs: {} }, "mcp.json#mcpServers.fs: has neither 'command' nor 'url'"],
  [{ fs: { command: 'a', url: 'http://b' } }, "mcp.json#mcpServers.fs: has both 'command' and 'url'; keep one"],
  [{ fs: { type: 'constructor', url: 'http://b' } }, 'mcp.json#mcpServers.fs.type: "constructor" is unknown'],
  [{ fs: { type: 'stdio', url: 'http://b' } }, 'mcp.json#mcpServers.fs.command: is missing'],
  [{ fs: { command: 'a', cwd: 'b' } }, "mcp.json#mcpServers.fs.cwd: 'b' must be an absolute path"],
  [{ fs: { command: 'a', env: { A: 1 } } }, 'mcp.json#mcpServers.fs.env.A: must be a string'],
  [{ fs: { command: 'a', tools: { allow: 'x' } } }, 'mcp.json#mcpServers.fs.tools.allow: must be a list'],
  [{ fs: { command: 'a', args: ['${NOPE}'] } }, 'mcp.json#mcpServers.fs.args.0: the variable NOPE is not set'],
  [{ 'my fs': { command: 'a' } }, "mcp.json#mcpServers.my fs.name: 'my fs' must be 1 to 32"],
])('names the wrong field: %j', (servers, start) => {
  expect(parse(servers)).toContain(start)
})

it('names the file when it is no JSON at all', () => {
  expect(() => parseMcpConfig('{', { path: '/etc/mcp.json' })).toThrow(/^\/etc\/mcp\.json: is not valid JSON/)
})
