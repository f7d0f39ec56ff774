// Deep: it kills a process at every point of 20 agents.
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { CrashReport } from '@parley/evals/crash-test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCli, type Cli } from '../../__fixtures__/open-cli.ts'
import { bundleKit } from './__fixtures__/bundle-kit.ts'

let folder = ''
let cli: Cli

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-kit-'))
  cli = await openCli()
}, 600_000)
afterAll(async () => {
  await cli[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

async function report(...args: string[]): Promise<CrashReport & { readonly code: number | null }> {
  const { code, out, error } = await cli.run('crash-test', '--json', ...args)
  if (out === '') throw new Error(error)
  return { ...(JSON.parse(out) as CrashReport), code }
}

const line = ({ agent, tool, verdict, shouldDeclare }: CrashReport['tools'][number]): string =>
  `${agent} ${tool}: ${verdict}, ${shouldDeclare}`

describe('parley crash-test', () => {
  it('parley crash-test finds each fault of 13 faulty agents', { timeout: 600_000 }, async () => {
    const { code, tools, runs, hasFaults, kills } = await report(await bundleKit('faulty-agents', folder))
    expect(tools.filter(({ isFault }) => isFault).map(line)).toEqual([
      'appender charge: repeated, once',
      'asker request: repeated, once',
      'background send: lost, once',
      'day-key charge: repeated, once',
      'first-only ship: lost, once',
      'forgetful pay: repeated, once',
      'half-covered order: repeated, once',
      'optimist pay: lost, once',
      'helper count: repeated, once',
      'random-key charge: repeated, once',
      'reader look_up: safe, idempotent',
      'shopper total: lost, read',
      'updater increment: repeated, once',
    ])
    expect({ code, runs, hasFaults }).toEqual({ code: 1, runs: [], hasFaults: true })
    expect(kills).toBeGreaterThan(80)
  })

  it(
    'parley crash-test finds no fault in sound agents, and reports a once tool without reconcile as unknown',
    { timeout: 600_000 },
    async () => {
      const { code, tools, runs } = await report(await bundleKit('sound-agents', folder))
      expect(tools.filter(({ isFault }) => isFault)).toEqual([])
      expect(tools.filter(({ verdict }) => verdict !== 'safe').map(line)).toEqual(['payer pay: unknown, once'])
      expect({ code, runs }).toEqual({ code: 0, runs: [] })
    },
  )

  it(
    'parley crash-test sees another system through the export world, and changes that a tool notes with ledger',
    { timeout: 600_000 },
    async () => {
      const charges = new Set<string>()
      const server = createServer((request, response) => {
        if (request.method === 'GET') return void response.end(JSON.stringify([...charges]))
        void text(request).then(key => response.end(charges.add(key).size.toString()))
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      await using remote = await openCli({ environment: { CHARGES_URL: `http://127.0.0.1:${port}/` } })
      const { out } = await remote.run('crash-test', '--json', await bundleKit('remote-agents', folder))
      server.close()
      const { tools } = JSON.parse(out) as CrashReport
      expect(tools.map(line)).toEqual([
        'keyed charge: safe, idempotent',
        'keyless charge: repeated, once',
        'noted charge: repeated, once',
        'noted-key charge: safe, idempotent',
      ])
    },
  )
})
