import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCli, type Cli } from './__fixtures__/open-cli.ts'
import { openModelServer, type ServedAnswer } from './__fixtures__/open-model-server.ts'

/** `work` runs until the file `go` exists or its call is aborted. */
const TOOLS = `
import { existsSync } from 'node:fs'
const input = { type: 'object' }
export const work = {
  name: 'work', description: 'Works.', input,
  async execute(_, { signal }) {
    while (!existsSync('go') && !signal.aborted) await new Promise(resolve => setTimeout(resolve, 10))
    return 'worked'
  },
}
export const pay = { name: 'pay', description: 'Pays.', input, permission: 'ask', execute: () => 'paid' }
`
const RUN = ['run', '--model', 'test-model', '--tools', 'tools.mjs', 'go'] as const

async function startRun(answers: readonly ServedAnswer[]) {
  const server = await openModelServer(answers)
  const cli = await openCli({ environment: { OPENAI_BASE_URL: server.url } })
  await writeFile(join(cli.dir, 'tools.mjs'), TOOLS)
  const { child, ended } = cli.start(...RUN)
  await new Promise<void>(resolve => {
    let seen = ''
    child.stdout?.on('data', (data: Buffer) => {
      seen += data.toString()
      if (seen.includes('→ work')) resolve()
    })
  })
  return {
    server,
    cli,
    ended,
    release: () => writeFile(join(cli.dir, 'go'), ''),
    async [Symbol.asyncDispose]() {
      await cli[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

async function entryTypes(cli: Cli): Promise<string[]> {
  const { out } = await cli.run('trace', '--json')
  return [...out.matchAll(/"type":"([a-z]+\.[a-z]+)"/g)].map(([, type = '']) => type)
}

describe('a run that another process drives', () => {
  it('parley steer sends messages to a run of another process, now and at its end', async () => {
    await using given = await startRun([[{ name: 'work', input: {} }], 'One.', 'Two.'])
    const { cli, server } = given
    expect(await cli.run('steer', 'last', 'faster')).toMatchObject({ code: 0, error: '' })
    expect((await cli.run('steer', 'last', 'and then?', '--follow-up')).out).toMatch(/^Sent to run [0-9a-f-]{36}\.\n$/)
    await given.release()
    const { code, out } = await given.ended
    expect(code).toBe(0)
    expect(out).toContain('faster')
    expect(server.requests.map(({ messages }) => messages.at(-1)?.content)).toEqual(['go', 'faster', 'and then?'])
    expect(await cli.run('steer', 'last', 'x')).toMatchObject({
      code: 2,
      error: expect.stringContaining('has already ended'),
    })
  })

  it('parley cancel stops a run of another process and waits until it has stopped', async () => {
    await using given = await startRun([[{ name: 'work', input: {} }]])
    const cancelled = await given.cli.run('cancel', 'last', '--reason', 'enough')
    expect(cancelled).toMatchObject({
      code: 0,
      error: '',
      out: expect.stringMatching(/^Run [0-9a-f-]{36}: cancelled\.\n$/),
    })
    expect((await given.ended).code).toBe(130)
    expect((await given.cli.run('trace')).out).toContain('· cancelled ·')
  })

  it('a run of another process continues after parley approve without a resume', async () => {
    const both = [
      { name: 'pay', input: {} },
      { name: 'work', input: {} },
    ]
    await using given = await startRun([both, 'Paid.'])
    const { cli } = given
    const approved = cli.start('approve', 'last')
    while (!(await entryTypes(cli)).includes('approval.decided')) await new Promise(resolve => setTimeout(resolve, 20))
    await given.release()
    expect(await approved.ended).toMatchObject({ code: 0, error: '' })
    expect((await given.ended).out).toContain('Paid.')
    const types = await entryTypes(cli)
    expect(types).not.toContain('run.suspended')
    expect(types.filter(type => type === 'approval.decided')).toHaveLength(1)
  })
})

describe('parley cancel', () => {
  it('parley cancel ends a run that is suspended for approval', async () => {
    await using server = await openModelServer([[{ name: 'pay', input: {} }]])
    await using cli = await openCli({ environment: { OPENAI_BASE_URL: server.url } })
    await writeFile(join(cli.dir, 'tools.mjs'), TOOLS)
    expect((await cli.run(...RUN)).code).toBe(3)
    expect((await cli.run('cancel', 'last')).out).toMatch(/: cancelled\.\n$/)
    expect(await cli.run('cancel', 'last')).toMatchObject({ code: 2 })
  })
})
