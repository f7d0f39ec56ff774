import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { openCli, type Cli } from '../__fixtures__/open-cli.ts'
import { openModelServer } from '../__fixtures__/open-model-server.ts'

/** Starts a server in the directory of `cli` and returns its address when it listens. */
async function serve(cli: Cli, db: string) {
  const { child, ended } = cli.start('serve', '--config', 'parley.yaml', '--db', db, '--port', '0')
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer]
  const [url = ''] = /http:[^\s,]+/.exec(line.toString()) ?? []
  return { url, child, ended }
}

describe('a server that replaces a killed one', () => {
  it.each([
    ['under another host name, when the lease has expired', 'container-a', 'container-b', 1_000],
    ['on the same machine, before the lease has expired', '', '', 600_000],
  ])(
    'parley serve resumes the runs of a server killed with SIGKILL %s',
    async (_, ...given) => {
      const [first, second, leaseMs] = given
      // The model answers nothing before the first server is killed.
      const forever = new Promise(() => {})
      await using model = await openModelServer(['It is done.'], async n => (n === 1 ? forever : undefined))
      const config = `
providers: { house: { type: openai, baseUrl: "${model.url}", apiKey: k } }
agents: { clerk: { model: house/test-model } }
runtime: { leaseMs: ${leaseMs} }`
      await using killed = await openCli({ environment: { PARLEY_WORKER: first } })
      await using next = await openCli({ environment: { PARLEY_WORKER: second } })
      for (const { dir } of [killed, next]) await writeFile(join(dir, 'parley.yaml'), config)
      const db = join(killed.dir, 'shared.db')

      const before = await serve(killed, db)
      // This server is alive before the other one dies, so its start cannot find the run.
      const after = await serve(next, db)
      const body = JSON.stringify({ model: 'clerk', input: 'Do it.', background: true })
      const begun = await fetch(`${before.url}/v1/responses`, { method: 'POST', body })
      const { id } = (await begun.json()) as { id: string }
      await vi.waitFor(() => expect(model.requests).toHaveLength(1), 30_000)
      before.child.kill('SIGKILL')
      await before.ended

      const text = await (await fetch(`${after.url}/v1/responses/${id}?stream=true`)).text()
      expect(text).toContain('It is done.')
      expect(text).toContain('event: response.completed')
      expect(model.requests).toHaveLength(2)
      after.child.kill('SIGTERM')
      await after.ended
    },
    60_000,
  )
})
