// Deep: it starts other test runners.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { defineTool, toolError } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { recordModel } from '@parley/evals/recordings'
import { createMemoryStore } from '@parley/memory-store'
import { toTestFile } from '@parley/runs-api'
import { scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'

const run = promisify(execFile)
const VITEST = join(import.meta.dirname, '../../../node_modules/vitest/vitest.mjs')
const CONFIG = `
const conditions = ['@parley/source', 'node']
export default { resolve: { conditions }, ssr: { resolve: { conditions, externalConditions: conditions } }, test: { include: ['*.test.*'] } }
`

/** A test that replays a recorded run, with the words of a test runner around it. */
const replayTest = (runner: string) => `
import { equal } from 'node:assert/strict'
import { createRuntime, defineAgent } from '@parley/engine'
import { replayModel } from '@parley/evals/recordings'
${runner}

it('the guide answers as recorded', async () => {
  const agent = defineAgent({ name: 'guide', model: replayModel(new URL('./c.jsonl', import.meta.url).pathname) })
  equal((await createRuntime().invoke(agent, 'How is Oslo?')).text, 'Sunny.')
})
`

/** A folder inside this package, so that its packages are found. */
function openFolder() {
  const folder = mkdtempSync(join(import.meta.dirname, '../.runner-'))
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

async function openRecording() {
  const opened = openFolder()
  const model = recordModel(scriptedModel(['Sunny.']), join(opened.folder, 'c.jsonl'))
  await createRuntime().invoke(defineAgent({ name: 'guide', model }), 'How is Oslo?')
  return opened
}

async function runVitest(folder: string): Promise<string> {
  writeFileSync(join(folder, 'vitest.config.mjs'), CONFIG)
  const { stdout } = await run(process.execPath, [VITEST, 'run', '--root', folder], { cwd: folder, env: plain() })
  return stdout
}

/** The environment without what belongs to the test run around this one. */
function plain(): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env
  return { PATH, HOME, NO_COLOR: '1' }
}

it('a recording is replayed in node:test', { timeout: 600_000 }, async () => {
  using opened = await openRecording()
  writeFileSync(join(opened.folder, 'guide.test.mjs'), replayTest("import { it } from 'node:test'"))
  const flags = ['--conditions=@parley/source', '--test', '--test-reporter=tap', 'guide.test.mjs']
  const { stdout } = await run(process.execPath, flags, { cwd: opened.folder, env: plain() })
  expect(stdout).toContain('# pass 1\n')
  expect(stdout).toContain('# fail 0\n')
})

it('a recording is replayed in Vitest', { timeout: 600_000 }, async () => {
  using opened = await openRecording()
  writeFileSync(join(opened.folder, 'guide.test.ts'), replayTest("import { it } from 'vitest'"))
  expect(await runVitest(opened.folder)).toMatch(/Tests\s+1 passed \(1\)/)
})

it(
  'the file of "copy as test" runs in Vitest, and fails there if the answer is another',
  { timeout: 600_000 },
  async () => {
    using opened = openFolder()
    const store = createMemoryStore()
    const look = defineTool({
      name: 'look',
      description: 'd',
      input: { type: 'object' },
      effect: 'read',
      execute: () => 'sun',
    })
    const fail = defineTool({ ...look, name: 'fail', execute: () => toolError('No "power" in `${x}`.') })
    const model = scriptedModel([
      { reasoning: 'Look.', toolCalls: [{ name: 'look', input: { a: '</script>' } }, { name: 'fail' }] },
      'It is `sunny`, ${you}.',
    ])
    const runtime = createRuntime({ store, agents: [defineAgent({ name: 'The guide', model, tools: [look, fail] })] })
    const { runId } = await runtime.run('The guide', 'How is it?').orThrow()
    const { name, text } = toTestFile({ runId, entries: await store.read(runId), history: [] })
    writeFileSync(join(opened.folder, name), text)
    expect(await runVitest(opened.folder)).toMatch(/Tests\s+1 passed \(1\)/)
    writeFileSync(join(opened.folder, name), text.replace('toBe("It is', 'toBe("It was'))
    await expect(runVitest(opened.folder)).rejects.toMatchObject({
      stdout: expect.stringMatching(/Tests\s+1 failed \(1\)/),
    })
  },
)
