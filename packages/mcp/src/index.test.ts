import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import * as mcp from './index.ts'

it('@parley/mcp exports exactly these values', () => {
  expect(Object.keys(mcp).sort()).toEqual([
    'agentsAsTools',
    'createFileTokenStore',
    'createMcpServer',
    'createMemoryTokenStore',
    'mcpTools',
    'openMcpServer',
    'openMcpServers',
    'parseMcpConfig',
    'showInBrowser',
    'toMcpDefinition',
  ])
})

it('importing @parley/mcp loads neither the SDK nor zod', async () => {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    await import(${JSON.stringify(new URL('index.ts', import.meta.url).href)})
    process.stdout.write(loaded.join('\\n'))
  `
  const args = ['--conditions=@parley/source', '--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toContain('open-mcp-server.ts')
  expect(stdout).not.toMatch(/modelcontextprotocol|zod/)
})
