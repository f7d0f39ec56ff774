import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { isRunning } from '../__fixtures__/fixture-server.ts'

const host = fileURLToPath(new URL('../__fixtures__/host.ts', import.meta.url))

interface HostEnd {
  readonly exitCode: number | null
  readonly signal: string | null
  /** The server and its grandchild, which ignores SIGTERM. */
  readonly pids: readonly number[]
}

async function endOf(manner: string, signal?: NodeJS.Signals): Promise<HostEnd> {
  const args = ['--conditions=@parley/source', host, manner]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  if (signal !== undefined) child.kill(signal)
  const [exitCode, by] = await exit
  return { exitCode, signal: by, pids: JSON.parse(line) as number[] }
}

it.concurrent.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'a host that is ended by %s leaves no process behind and keeps its exit signal',
  async signal => {
    const end = await endOf('signal', signal)
    expect(end).toMatchObject({ exitCode: null, signal })
    await vi.waitUntil(() => !end.pids.some(isRunning), 30_000)
  },
)

it.concurrent('a host that exits without closing leaves no process behind', async () => {
  const end = await endOf('exit')
  expect(end.exitCode).toBe(0)
  await vi.waitUntil(() => !end.pids.some(isRunning), 30_000)
})

it.concurrent('the guard leaves a signal to a host that handles it', async () => {
  const end = await endOf('own-handler', 'SIGTERM')
  expect(end).toMatchObject({ exitCode: 0, signal: null })
  await vi.waitUntil(() => !end.pids.some(isRunning), 30_000)
})
