import { expect, it } from 'vitest'
import { fixtureServer, isRunning } from './__fixtures__/fixture-server.ts'
import { openMcpServers } from './open-mcp-servers.ts'

const good = fixtureServer('scripted.mjs', { name: 'good' })
const bad = fixtureServer('dies-at-start.mjs', { name: 'bad' })

it('starts several servers at once and ends them together', async () => {
  const open = await openMcpServers([good, { ...good, name: 'other' }])
  const pids = open.servers.map(({ pid = 0 }) => pid)
  expect(open.servers.map(({ name }) => name)).toEqual(['good', 'other'])
  expect(pids.map(isRunning)).toEqual([true, true])
  await open[Symbol.asyncDispose]()
  expect(pids.map(isRunning)).toEqual([false, false])
})

it('ends all when one does not start', async () => {
  const slow = fixtureServer('never-answers.mjs', { name: 'slow' })
  await expect(openMcpServers([good, slow, bad])).rejects.toMatchObject({
    info: { code: 'mcp-server-failed', server: 'bad' },
  })
})

it('goes on without those that do not start, if told so', async () => {
  const skipped: string[] = []
  const onSkip = (name: string, { code }: { code: string }): void => void skipped.push(`${name} ${code}`)
  await using open = await openMcpServers([bad, good], { onFailure: 'skip', onSkip })
  expect(open.servers.map(({ name }) => name)).toEqual(['good'])
  expect(skipped).toEqual(['bad mcp-server-failed'])
})

it('refuses a name used twice, and skips no definition that cannot work', async () => {
  await expect(openMcpServers([good, good])).rejects.toThrow("servers.1.name: 'good' is used twice")
  const wrong = openMcpServers([good, { ...bad, cwd: 'x' }], { onFailure: 'skip' })
  await expect(wrong).rejects.toMatchObject({ code: 'config-invalid' })
})
