import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Entry, Message } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { openCli, type Cli } from './__fixtures__/open-cli.ts'
import { openModelServer, type ServedAnswer } from './__fixtures__/open-model-server.ts'

const ANSWERS: readonly ServedAnswer[] = [
  [{ name: 'quick', input: { n: 1 } }],
  [
    { name: 'slow', input: { n: 2 } },
    { name: 'quick', input: { n: 3 } },
  ],
  [{ name: 'quick', input: { n: 4 } }],
  'All four are done.',
]

/** Tools that log each execution. `slow` is idempotent and ends when the file `go` exists. `quick` must not run again. */
const TOOLS = `
import { appendFileSync, existsSync } from 'node:fs'
const note = (name, n) => appendFileSync('executions.txt', name + ' ' + n + '\\n')
const input = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
export const quick = { name: 'quick', description: 'Quick.', input, execute: ({ n }) => { note('quick', n); return 'quick ' + n } }
export const guarded = {
  name: 'guarded', description: 'Guarded.', input, permission: 'ask',
  execute: ({ n }) => { note('guarded', n); return 'guarded ' + n },
}
export const slow = {
  name: 'slow', description: 'Slow.', input, effect: 'idempotent',
  async execute({ n }, { signal }) {
    note('slow', n)
    while (!existsSync('go') && !signal.aborted) await new Promise(resolve => setTimeout(resolve, 10))
    return 'slow ' + n
  },
}
`

async function setUp(url: string): Promise<Cli> {
  const cli = await openCli({ environment: { OPENAI_BASE_URL: url } })
  await writeFile(join(cli.dir, 'tools.mjs'), TOOLS)
  return cli
}

const release = (cli: Cli): Promise<void> => writeFile(join(cli.dir, 'go'), '')

const RUN = ['run', '--model', 'test-model', '--tools', 'tools.mjs', 'go'] as const

async function executions(cli: Cli): Promise<string[]> {
  return (await readFile(join(cli.dir, 'executions.txt'), 'utf8')).trim().split('\n')
}

/** The messages of a run, without the fields that differ between runs. */
async function transcript(cli: Cli): Promise<Message[]> {
  const entries = (await cli.run('trace', '--json')).out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Entry)
  const spoken = entries.flatMap<Message>(entry => (entry.type === 'message.appended' ? [entry.message] : []))
  const results = entries.flatMap<Message>(entry => (entry.type === 'tool.ended' ? [entry.message] : []))
  return [...spoken, ...results.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))]
}

/**
 * Starts a run and kills it with SIGKILL when its journal has the end of some calls and it can end no other one: a kill between
 * the end of a call and its record leaves the call `unknown`.
 */
async function killAfter(cli: Cli, calls: number): Promise<void> {
  const { child, ended } = cli.start(...RUN)
  const recorded = async () => (await cli.run('trace', '--json')).out.match(/"type":"tool\.ended"/g)?.length
  await expect.poll(recorded, { timeout: 60_000 }).toBe(calls)
  child.kill('SIGKILL')
  await ended
  expect(child.signalCode).toBe('SIGKILL')
}

describe('a run that was killed', () => {
  it.each([
    ['after one of two parallel calls had ended', 2],
    ['between two turns', 3],
  ])('a run killed %s resumes to the same transcript without repeating finished tool calls', async (_, calls) => {
    await using server = await openModelServer(ANSWERS)
    await using whole = await setUp(server.url)
    await release(whole)
    expect((await whole.run(...RUN)).code).toBe(0)

    const gate = Promise.withResolvers<void>()
    // The model answers the third request of the run only after the kill.
    await using held = await openModelServer(ANSWERS, async count => await (count === 3 ? gate.promise : undefined))
    await using cut = await setUp(held.url)
    if (calls === 3) await release(cut)
    await killAfter(cut, calls)
    gate.resolve()
    await release(cut)
    const before = await executions(cut)
    const { code, out, error } = await cut.run('resume')
    expect(error).toBe('')
    expect(code).toBe(0)
    expect(out).toContain('All four are done.')
    expect(await transcript(cut)).toEqual(await transcript(whole))
    const all = await executions(cut)
    expect(all.filter(line => line.startsWith('quick')).toSorted()).toEqual(['quick 1', 'quick 3', 'quick 4'])
    expect(all.slice(0, before.length)).toEqual(before)
  })

  it('parley resume prints the answer of an ended run and calls no model', async () => {
    await using server = await openModelServer(ANSWERS)
    await using cli = await setUp(server.url)
    await release(cli)
    await cli.run(...RUN)
    const { code, out } = await cli.run('resume')
    expect(code).toBe(0)
    expect(out).toContain('has already ended: completed')
    expect(out).toContain('All four are done.')
    expect(server.requests).toHaveLength(4)
  })

  it('parley resume refuses a run that another process still drives', async () => {
    await using server = await openModelServer(ANSWERS)
    await using cli = await setUp(server.url)
    const { child, ended } = cli.start(...RUN)
    await once(child.stdout as NodeJS.ReadableStream, 'data')
    const { code, error } = await cli.run('resume')
    expect(error).toMatch(
      /^parley: Run [0-9a-f-]{8,} is being driven by another worker \(pid \d+\)\. Its claim ends in \d+ s unless it sends another heartbeat\. Newest entry: .*\. Wait, or take it over: parley resume [0-9a-f-]{8,} --force\n$/,
    )
    expect(code).toBe(2)
    await release(cli)
    expect((await ended).code).toBe(0)
    expect(server.requests).toHaveLength(4)
  })
})

describe('parley approve', () => {
  const asking: readonly ServedAnswer[] = [[{ name: 'guarded', input: { n: 7 } }], 'Settled.']

  it('parley approve runs a pending call once, in another process', async () => {
    await using server = await openModelServer(asking)
    await using cli = await setUp(server.url)
    const suspended = await cli.run(...RUN)
    expect(suspended.code).toBe(3)
    expect(suspended.out).toContain(`? Run 'guarded' with {"n":7}?`)
    expect(suspended.out).toMatch(/^\? suspended for approval .*decide: parley approve/ms)
    expect(suspended.out).not.toContain('✗')
    const resumed = await cli.run('resume')
    expect(resumed).toMatchObject({ code: 3, error: '' })
    expect(resumed.out).toMatch(
      /^Run \S+ waits for approval of guarded · decide: parley approve \S+ \[--reject REASON\]\n$/,
    )
    const { code, out } = await cli.run('approve', 'last')
    expect(code).toBe(0)
    expect(out).toContain('Settled.')
    expect(await executions(cli)).toEqual(['guarded 7'])
    expect((await cli.run('approve', 'last')).error).toContain('waits for no approval')
  })

  it('parley approve --reject sends the reason to the model', async () => {
    await using server = await openModelServer(asking)
    await using cli = await setUp(server.url)
    await cli.run(...RUN)
    expect((await cli.run('approve', 'last', '--reject', 'not today.')).code).toBe(0)
    expect(JSON.stringify(server.requests[1]?.messages)).toContain('not today.')
  })
})

describe('Ctrl-C', () => {
  it('Ctrl-C cancels a run, records it as cancelled and exits with 130', async () => {
    await using server = await openModelServer(ANSWERS)
    await using cli = await setUp(server.url)
    const { child, ended } = cli.start(...RUN)
    child.stdout?.on('data', (data: Buffer) => {
      if (data.toString().includes('→ slow')) child.kill('SIGINT')
    })
    const { code, out } = await ended
    expect(code).toBe(130)
    expect(out).toContain('✗ cancelled')
    expect((await cli.run('trace')).out).toContain('· cancelled ·')
  })
})

describe('parley submit', () => {
  const LOCATE = `export const locate = {
    name: 'locate', description: 'Where the user is.', input: { type: 'object' },
  }`
  const asking: readonly ServedAnswer[] = [[{ name: 'locate', input: {} }], 'You are in Bern.']

  async function suspendedRun(url: string): Promise<Cli> {
    const cli = await openCli({ environment: { OPENAI_BASE_URL: url } })
    await writeFile(join(cli.dir, 'client.mjs'), LOCATE)
    const { code, out } = await cli.run('run', '--model', 'm', '--tools', 'client.mjs', 'Where am I?')
    expect([code, out]).toEqual([3, expect.stringMatching(/submit: parley submit \S+ RESULT/)])
    return cli
  }

  it('parley submit gives the pending call its result, in another process', async () => {
    await using server = await openModelServer(asking)
    await using cli = await suspendedRun(server.url)
    expect((await cli.run('approve', 'last')).error).toContain('submit --help')
    expect((await cli.run('submit', 'last', 'Bern', '--call', 'other')).error).toContain("no tool call 'other'")
    const { code, out } = await cli.run('submit', 'last', '{"city":"Bern"}')
    expect([code, out]).toEqual([0, expect.stringContaining('You are in Bern.')])
    expect(server.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: '{"city":"Bern"}' })
    expect((await cli.run('submit', 'last', 'Rome')).error).toContain('waits for no result of a client')
  })

  it('parley submit --error reports to the model that the call failed', async () => {
    await using server = await openModelServer(asking)
    await using cli = await suspendedRun(server.url)
    expect((await cli.run('submit', 'last', 'The user refused.', '--error')).code).toBe(0)
    expect(JSON.stringify(server.requests[1]?.messages)).toContain('The user refused.')
  })
})
