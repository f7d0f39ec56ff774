import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { defineTool, type Store, type Tool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createMemoryVault, createPiiMask, PII_KINDS, type PiiVault } from '../pii/index.ts'
import { openDirectory } from './__fixtures__/open-directory.ts'
import { createFileVault } from './create-file-vault.ts'

const ANN = 'ann@example.org'

/** Creates a runtime as each process would: everything is new except the store and the vault's content. */
function processOn(store: Store, vault: PiiVault, sent: unknown[]) {
  const pii = createPiiMask({ vault })
  const send = defineTool({
    name: 'send',
    description: 'Sends.',
    input: z.object({ to: z.email() }),
    permission: 'ask',
    execute: ({ to }) => void sent.push(to),
  })
  const agent = defineAgent({
    name: 'a',
    model: scriptedModel(request =>
      request.messages.length === 1
        ? { toolCalls: [{ name: 'send', input: { to: '[EMAIL_1]' } }] }
        : 'Sent to [EMAIL_1].',
    ),
    tools: [pii.protect(send) as Tool],
    inputFilters: [pii.inputFilter],
    middleware: [pii.middleware],
  })
  return { pii, runtime: createRuntime({ store, agents: [agent] }) }
}

/** Suspends a run for approval in one process and resumes it in another. */
async function throughRestart(vaultOfProcess: () => PiiVault) {
  const store = createMemoryStore()
  const sent: unknown[] = []
  const first = processOn(store, vaultOfProcess(), sent)
  const suspended = await first.runtime.run('a', `Write to ${ANN}.`).result
  if (suspended.status !== 'suspended') throw new Error(`the run is ${suspended.status}`)
  await first.runtime.close()
  const { runId, approvals } = suspended
  const second = processOn(store, vaultOfProcess(), sent)
  const [approval] = approvals
  const going = await second.runtime.decide(runId, approval?.approvalId ?? '', { decision: { type: 'approved' } })
  const result = await going.orThrow()
  return { sent, result, pii: second.pii, journal: JSON.stringify(await store.read(runId)) }
}

describe('a file vault', () => {
  it('a file vault gives a tool the real value after another process resumed the run', async () => {
    await using directory = await openDirectory()
    const { sent, result, pii, journal } = await throughRestart(() => createFileVault({ directory: directory.path }))
    expect(sent).toEqual([ANN])
    expect(result).toMatchObject({ status: 'completed', text: 'Sent to [EMAIL_1].' })
    expect(pii.restore(result.text, { scope: 'default', sessionId: result.sessionId })).toContain(ANN)
    expect(journal).not.toContain(ANN)
    // An in-memory vault fails here, so only the files on disk made the difference.
    expect((await throughRestart(() => createMemoryVault())).sent).toEqual([])
  })

  it('a file vault agrees with an in-memory vault, even if several vaults share the directory', async () => {
    const value = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const call = fc.record({
      process: fc.nat(2),
      partition: fc.constantFrom('p', 'q'),
      kind: fc.constantFrom(...PII_KINDS),
      value,
    })
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 30 }), async calls => {
        await using directory = await openDirectory()
        const vaults = [0, 1, 2].map(() => createFileVault({ directory: directory.path }))
        const memory = createMemoryVault()
        for (const each of calls) {
          const token = vaults[each.process]?.token(each.partition, each.kind, each.value) ?? ''
          expect(token).toBe(memory.token(each.partition, each.kind, each.value))
          for (const vault of vaults) expect(vault.value(each.partition, token)).toBe(each.value)
        }
      }),
      { numRuns: 25 },
    )
  })

  it('file vaults of processes that mask concurrently use the same placeholders', async () => {
    await using directory = await openDirectory()
    const script = fileURLToPath(new URL('./__fixtures__/mask-in-another-process.ts', import.meta.url))
    const masked = await Promise.all(
      ['1', '7', '50'].map(step =>
        promisify(execFile)(process.execPath, ['--conditions=@parley/source', script, directory.path, step]),
      ),
    )
    const [first, ...others] = masked.map(({ stdout }) => JSON.parse(stdout) as Record<string, string>)
    expect(new Set(Object.values(first ?? {})).size).toBe(101)
    for (const other of others) expect(other).toEqual(first)
  })

  it('a file vault keeps its files private and its file names free of values', async () => {
    await using directory = await openDirectory()
    const vault = createFileVault({ directory: join(directory.path, 'vault') })
    vault.token('session of ann', 'email', ANN)
    const names = readdirSync(directory.path, { recursive: true, encoding: 'utf8' })
    expect(names.join()).not.toMatch(/ann/)
    const modes = names.map(name => (statSync(join(directory.path, name)).mode & 0o077).toString(8))
    expect(new Set(modes)).toEqual(new Set(['0']))
    const file = names.find(name => name.endsWith('EMAIL_1')) ?? ''
    expect(readFileSync(join(directory.path, file), 'utf8')).toBe(ANN)
  })

  it('forget removes the values of a session from a file vault', async () => {
    await using directory = await openDirectory()
    const session = { scope: 's', sessionId: '1' }
    const vault = createFileVault({ directory: directory.path })
    const pii = createPiiMask({ vault })
    vault.token(JSON.stringify(['s', '1']), 'email', ANN)
    expect(pii.restore('[EMAIL_1]', session)).toBe(ANN)
    pii.forget(session)
    expect(pii.restore('[EMAIL_1]', session)).toBe('[EMAIL_1]')
    expect(createPiiMask({ vault: createFileVault({ directory: directory.path }) }).restore('[EMAIL_1]', session)).toBe(
      '[EMAIL_1]',
    )
  })

  it('a file vault returns undefined for an unknown or invalid placeholder', async () => {
    await using directory = await openDirectory()
    const vault = createFileVault({ directory: directory.path })
    vault.token('p', 'email', ANN)
    for (const token of ['[EMAIL_2]', '[EMAIL_../EMAIL_1]', '[NAME_1]', 'EMAIL_1', '']) {
      expect(vault.value('p', token)).toBeUndefined()
    }
  })

  it('createFileVault rejects a directory that it cannot write to', () => {
    expect(() => createFileVault({ directory: '/dev/null/vault' })).toThrow(
      /fileVault.directory: '\/dev\/null\/vault' is not writable/,
    )
  })
})
