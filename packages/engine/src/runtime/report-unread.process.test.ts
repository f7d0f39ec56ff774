import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const FOLDER = fileURLToPath(new URL('../..', import.meta.url))

/** A run fails, no code reads it, and the program waits. */
const FAILS = `
  import { createRuntime, defineAgent } from '@parley/engine'
  import { scriptedModel } from '@parley/testing'
  const error = { code: 'model-auth', provider: 'p', detail: 'bad key' }
  const runtime = createRuntime({ agents: [defineAgent({ name: 'a', model: scriptedModel([{ error }]) })] })
  runtime.run('a', 'go')
  while ((await runtime.health()).activeRuns > 0) await new Promise(resolve => setImmediate(resolve))
  setInterval(() => {}, 60_000)
  console.log('ready')
`

/** Runs the program until it is ready, sends it a signal, and returns how it ended and what it wrote to the error stream. */
async function endedBy(signal: NodeJS.Signals, before = '') {
  const args = ['--conditions=@parley/source', '--input-type=module', '-e', before + FAILS]
  const child = spawn(process.execPath, args, { cwd: FOLDER, stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const closed = once(child, 'close')
  await Promise.race([once(child.stdout, 'data'), closed])
  child.kill(signal)
  const [code, by] = (await closed) as [number | null, NodeJS.Signals | null]
  return { code, by, reports: errors.split('\n').filter(line => line.startsWith('parley: ')) }
}

describe('a process that a signal ends while a failure is unread', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('%s reports the failure once and still ends the process', async signal => {
    const { code, by, reports } = await endedBy(signal)
    expect({ code, by }).toEqual({ code: null, by: signal })
    expect(reports).toEqual([expect.stringContaining('bad key')])
  })

  it('a listener of the program still decides what the signal does, also one that is called once', async () => {
    const listener = `process.once('SIGTERM', () => setTimeout(() => process.exit(7), 50));`
    const { code, by, reports } = await endedBy('SIGTERM', listener)
    expect({ code, by }).toEqual({ code: 7, by: null })
    expect(reports).toEqual([expect.stringContaining('bad key')])
  })
})
