import { ParleyError } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { checkServerDefinition } from './check-server-definition.ts'
import type { McpServerDefinition } from './mcp-server-definition.ts'

function refusal(fields: object): string {
  try {
    const given = { ...('transport' in fields ? {} : { transport: 'stdio', command: 'x' }), name: 'fs', ...fields }
    checkServerDefinition(given as McpServerDefinition, 'server')
    return ''
  } catch (error) {
    return ParleyError.is(error, 'config-invalid') ? `${error.info.path}: ${error.info.detail}` : String(error)
  }
}

describe('a definition', () => {
  it.each([
    { name: 'A-z_0' },
    { name: 'x'.repeat(32) },
    { cwd: '/srv' },
    { args: [], env: { A: '' }, startupTimeoutMs: 1, callTimeoutMs: 0.5, protocol: 'auto' },
    { transport: 'http', url: 'https://mcp.example/x', headers: { authorization: 'Bearer 1' } },
    { transport: 'sse', url: 'http://127.0.0.1:1/' },
    { tools: { allow: ['a*'], deny: [], rename: { a: 'b' }, prefix: '' } },
  ])('a valid definition is accepted: %j', fields => {
    expect(refusal(fields)).toBe('')
  })

  it.each([
    [{ name: '' }, "server.name: must be 1 to 32 of the characters A-Z a-z 0-9 _ -, not ''"],
    [{ name: 'x'.repeat(33) }, 'server.name: '],
    [{ name: 'my server' }, 'server.name: '],
    [{ name: undefined }, 'server.name: must be 1 to 32 of the characters A-Z a-z 0-9 _ -, not undefined'],
    [{ transport: 'carrier-pigeon' }, "server.transport: 'carrier-pigeon' is unknown; known: stdio, http, sse"],
    [{ transport: undefined }, 'server.transport: undefined is unknown'],
    [{ command: undefined }, 'server.command: must be the program'],
    [{ command: ' ' }, 'server.command: must be the program'],
    [{ args: 'x' }, 'server.args: must be a list of strings'],
    [{ args: [1] }, 'server.args: must be a list of strings'],
    [{ env: { A: 1 } }, 'server.env.A: must be a string'],
    [{ env: ['A=1'] }, 'server.env: must be an object of strings'],
    [{ cwd: 'work' }, "server.cwd: must be an absolute path, not 'work'"],
    [{ startupTimeoutMs: 0 }, 'server.startupTimeoutMs: must be a positive number of milliseconds, not 0'],
    [{ callTimeoutMs: Number.NaN }, 'server.callTimeoutMs: must be a positive number of milliseconds, not NaN'],
    [{ callTimeoutMs: Infinity }, 'server.callTimeoutMs: must be a positive number of milliseconds, not Infinity'],
    [{ protocol: 'modern' }, "server.protocol: 'modern' is unknown"],
    [{ transport: 'http', url: 'file:///x' }, "server.url: must be an http: or https: URL, not 'file:///x'"],
    [{ transport: 'sse' }, 'server.url: must be an http: or https: URL, not undefined'],
    [{ transport: 'http', url: 'http://x', headers: { a: 1 } }, 'server.headers.a: must be a string'],
    [{ tools: { allow: 'a' } }, 'server.tools.allow: is a string; must be a list of strings'],
    [{ tools: { deny: [1] } }, 'server.tools.deny: is a list; must be a list of strings'],
    [{ tools: { prefix: 'a b' } }, 'server.tools.prefix: must be at most 40'],
    [{ tools: { rename: { a: 'b c' } } }, 'server.tools.rename.a: must be 1 to 64'],
    [{ tools: { rename: { a: 'x', b: 'x' } } }, "server.tools.rename.b: 'x' is already the name of another tool"],
  ])('an invalid definition is rejected, naming the field: %j', (fields, start) => {
    expect(refusal(fields)).toContain(start)
  })
})
