import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

// `crash-test.deep.test.ts` crashes agents at every point.
describe('parley crash-test', () => {
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
