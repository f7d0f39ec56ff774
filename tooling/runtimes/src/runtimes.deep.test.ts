// Deep: it installs and starts Bun, Deno and Node.js 22.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { openModelServers } from './__fixtures__/open-model-servers.ts'
import { findRuntime, type RuntimeName } from './find-runtime.ts'
import { installPrograms } from './install-programs.ts'

const SMOKE = fileURLToPath(new URL('../node_modules/.cache/smoke.mjs', import.meta.url))
const run = promisify(execFile)

/** The arguments with which each runtime runs a file. Deno gets access only to the network and the environment. */
const COMMANDS: Readonly<Record<Exclude<RuntimeName, 'workerd'>, readonly string[]>> = {
  'node 22': [],
  bun: ['run'],
  deno: ['run', '--allow-net', '--allow-env'],
}

describe('core, engine and every provider', () => {
  beforeAll(async () => {
    // With the neutral platform, the build fails if a file imports a Node.js module.
    await build({
      entryPoints: [fileURLToPath(new URL('__fixtures__/smoke.ts', import.meta.url))],
      outfile: SMOKE,
      bundle: true,
      platform: 'neutral',
      mainFields: ['module', 'main'],
      conditions: ['@parley/source', 'import'],
      format: 'esm',
      logLevel: 'error',
    })
    await installPrograms()
  }, 600_000)

  it.each(Object.keys(COMMANDS) as (keyof typeof COMMANDS)[])(
    'core, engine and every provider run under %s',
    async name => {
      await using servers = await openModelServers()
      const { stdout } = await run(findRuntime(name), [...COMMANDS[name], SMOKE, servers.url], {
        env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1' },
        timeout: 120_000,
      })
      const answer = ['5', 'It is 5 – ✓']
      expect(JSON.parse(stdout)).toEqual({
        chat: answer,
        responses: answer,
        anthropic: answer,
        google: answer,
        ollama: answer,
        redirect: expect.stringContaining('redirects to http://elsewhere.example/'),
        cancel: 'cancelled',
      })
      await expect.poll(servers.abandoned).toBe(1)
    },
  )
})

describe('findRuntime', () => {
  it('findRuntime throws an error that names the missing package of a runtime', () => {
    expect(() => findRuntime('bun', 'sunos-x64')).toThrow('No package of bun for sunos-x64')
    const elsewhere = process.platform === 'darwin' ? 'linux-x64' : 'darwin-arm64'
    expect(() => findRuntime('deno', elsewhere)).toThrow(/deno is not installed: @deno\/\S+ is missing/)
  })
})
