import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { openCli, type Cli } from '../__fixtures__/open-cli.ts'

/** Starts a command that serves the page, and returns the address that it prints. */
async function open(cli: Cli, ...args: string[]) {
  const { child, ended } = cli.start(...args)
  let printed = ''
  let [url] = [undefined as string | undefined]
  while (url === undefined) {
    const [chunk] = (await Promise.race([
      once(child.stdout ?? child, 'data'),
      ended.then(({ error }) => Promise.reject(new Error(error))),
    ])) as [Buffer]
    printed += chunk.toString()
    url = /Parley Studio on (http:\S+)\/studio\//.exec(printed)?.[1]
  }
  const close = async (): Promise<void> => {
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  }
  return { url, [Symbol.asyncDispose]: close }
}

const post = { method: 'POST', headers: { 'content-type': 'application/json' } }

describe('parley studio', () => {
  it('parley studio shows the runs of a database and changes nothing', async () => {
    await using cli = await openCli({ isUnbundled: true })
    await cli.run('run', '--model', 'demo', 'What is 6 * 7?')
    await using studio = await open(cli, 'studio', '--port', '0')
    expect(await (await fetch(`${studio.url}/studio/`)).text()).toContain('Parley Studio')
    const { runs } = (await (await fetch(`${studio.url}/runs`)).json()) as {
      runs: { runId: string; preview: string }[]
    }
    expect(runs.map(run => run.preview)).toEqual(['What is 6 * 7?'])
    const rerun = await fetch(`${studio.url}/runs/${runs[0]?.runId ?? ''}/rerun`, { ...post, body: '{}' })
    expect(rerun.status).toBe(403)
  })

  it('parley studio --write runs the agent', async () => {
    await using cli = await openCli({ isUnbundled: true })
    await using studio = await open(cli, 'studio', '--write', '--model', 'demo', '--port', '0')
    const started = await fetch(`${studio.url}/runs`, {
      ...post,
      body: '{"agent":"assistant","input":"What is 6 * 7?"}',
    })
    expect(started.ok).toBe(true)
  })

  it('parley studio names a database that does not exist', async () => {
    await using cli = await openCli({ isUnbundled: true })
    const { code, error } = await cli.run('studio', '--db', 'missing.db')
    expect(code).not.toBe(0)
    expect(error).toContain('missing.db')
  })

  it('parley serve --studio serves the page beside the agent', async () => {
    await using cli = await openCli({ isUnbundled: true })
    await using served = await open(cli, 'serve', '--studio', '--model', 'demo', '--port', '0')
    const { headers, status } = await fetch(`${served.url}/studio/approvals`)
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(await (await fetch(`${served.url}/runs-api`)).json()).toMatchObject({ access: 'admin' })
  })
})
