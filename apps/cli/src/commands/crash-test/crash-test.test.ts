import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
}, 60_000)
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
  it('parley crash-test finds each fault of 13 faulty agents', { timeout: 400_000 }, async () => {
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
    { timeout: 400_000 },
    async () => {
      const { code, tools, runs } = await report(await bundleKit('sound-agents', folder))
      expect(tools.filter(({ isFault }) => isFault)).toEqual([])
      expect(tools.filter(({ verdict }) => verdict !== 'safe').map(line)).toEqual(['payer pay: unknown, once'])
      expect({ code, runs }).toEqual({ code: 0, runs: [] })
    },
  )

  it(
    'parley crash-test sees another system through the export world, and changes that a tool notes with ledger',
    { timeout: 200_000 },
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

  it(
    'parley crash-test prints a table with a sentence, the kill and the command that repeats it',
    { timeout: 200_000 },
    async () => {
      const kit = await bundleKit('faulty-agents', folder)
      const { code, out } = await cli.run('crash-test', kit, '--agent', 'appender', '--at', 'end:c0-0')
      expect(code).toBe(1)
      expect(out).toMatch(
        /^agent {5}tool {4}declares {4}verdict {3}should declare\nappender {2}charge {2}idempotent {2}repeated {2}once\n/,
      )
      expect(out).toContain("The call ran again and changed the world again: the line 'charged 5 EUR' of charges.txt.")
      expect(out).toContain('Killed after charge has returned, before its result is durable.')
      expect(out).toContain(`parley crash-test ${kit} --agent appender --input go --at end:c0-0`)
      expect(out).toContain('1 kill')
    },
  )

  it.each([
    [['nothing.ts'], 'Cannot read nothing.ts: the file does not exist'],
    [['MODULE', '--agent', 'appendr'], 'Did you mean appender?'],
    [['MODULE', '--at', 'noon'], "'noon' must be before:ENTRY, after:ENTRY, change:NUMBER:CALL or end:CALL"],
    [['MODULE', '--files', 'nowhere'], 'nowhere'],
    [['EMPTY'], 'must export at least one agent'],
    [['BROKEN'], 'no such thing'],
    [[], 'name the module that exports the agents: parley crash-test agents.ts'],
  ])('parley crash-test answers %j in one line', async (words, sentence) => {
    const files = { EMPTY: join(folder, 'empty.mjs'), BROKEN: join(folder, 'broken.mjs') }
    writeFileSync(files.EMPTY, 'export const x = 1')
    writeFileSync(files.BROKEN, "throw new Error('no such thing')")
    const module = await bundleKit('faulty-agents', folder)
    const named = words.map(word => ({ ...files, MODULE: module })[word] ?? word)
    const { code, error } = await cli.run('crash-test', ...named)
    expect(error).toContain(sentence)
    expect(error.trim().split('\n')).toHaveLength(1)
    expect(code).toBe(2)
  })
})
