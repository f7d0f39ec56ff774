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

it('parseMcpConfig reads process and URL servers in order', () => {
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

it('parseMcpConfig reads the fields of Parley and the key servers', () => {
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
    'mcp.json#servers.fs.callTimeoutMs: must be a positive number of milliseconds, not 0',
  )
})

it('parseMcpConfig expands variables in every string and uses their defaults', () => {
  const servers = { fs: { command: '${BIN}/fs', args: ['${ROOT:-/srv}', '$HOME', '${A}${A}'], env: { T: '${env:A}' } } }
  expect(parse(servers, { BIN: '/bin', A: 'a' })).toEqual([
    { transport: 'stdio', name: 'fs', command: '/bin/fs', args: ['/srv', '$HOME', 'aa'], env: { T: 'a' } },
  ])
})

it('parseMcpConfig does not expand the values of variables', () => {
  const servers = { fs: { command: '${A}' } }
  expect(parse(servers, { A: '${B}', B: 'b' })).toEqual([{ transport: 'stdio', name: 'fs', command: '${B}' }])
})

it.each([
  [undefined, 'mcp.json#mcpServers: is missing'],
  [[], 'mcp.json#mcpServers: must be an object'],
  [{ fs: 'npx' }, 'mcp.json#mcpServers.fs: must be an object'],
  [{ fs: {} }, "mcp.json#mcpServers.fs: must have 'command' or 'url'"],
  [{ fs: { command: 'a', url: 'http://b' } }, "mcp.json#mcpServers.fs: must have 'command' or 'url', not both"],
  [{ fs: { type: 'constructor', url: 'http://b' } }, 'mcp.json#mcpServers.fs.type: "constructor" is unknown'],
  [{ fs: { type: 'stdio', url: 'http://b' } }, 'mcp.json#mcpServers.fs.command: must be the program'],
  [{ fs: { command: 'a', cwd: 'b' } }, "mcp.json#mcpServers.fs.cwd: must be an absolute path, not 'b'"],
  [{ fs: { command: 'a', env: { A: 1 } } }, 'mcp.json#mcpServers.fs.env.A: must be a string'],
  [
    { fs: { command: 'a', tools: { allow: 'x' } } },
    'mcp.json#mcpServers.fs.tools.allow: is a string; must be a list of strings',
  ],
  [
    { fs: { command: 'a', args: ['${NOPE}'] } },
    'mcp.json#mcpServers.fs.args.0: requires the variable NOPE, which is not set',
  ],
  [{ 'my fs': { command: 'a' } }, 'mcp.json#mcpServers.my fs.name: must be 1 to 32'],
])('parseMcpConfig names the invalid field: %j', (servers, start) => {
  expect(parse(servers)).toContain(start)
})

it('parseMcpConfig names a file that is not valid JSON', () => {
  expect(() => parseMcpConfig('{', { path: '/etc/mcp.json' })).toThrow(/^\/etc\/mcp\.json: must be valid JSON/)
})
