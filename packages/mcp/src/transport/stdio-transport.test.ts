import { expect, it } from 'vitest'
import { fixtureServer, isRunning } from '../__fixtures__/fixture-server.ts'
import { openServerProcess } from './server-process.ts'
import { createStdioTransport } from './stdio-transport.ts'

async function openScripted(): ReturnType<typeof openServerProcess> {
  const { command, args = [] } = fixtureServer('scripted.mjs')
  return await openServerProcess({ command, args, env: {}, cwd: undefined })
}

const callBig = (bytes: number): Parameters<ReturnType<typeof createStdioTransport>['send']>[0] => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'big', arguments: { bytes } },
})

it('the transport stops a server that sends a message that is too long, and tells why', async () => {
  const opened = await openScripted()
  if (typeof opened === 'string') return expect.fail(opened)
  const transport = createStdioTransport(opened, { maxMessageBytes: 1_000 })
  const received: unknown[] = []
  const closed = new Promise<void>(resolve => {
    Object.assign(transport, { onmessage: (message: unknown) => received.push(message), onclose: resolve })
  })
  await transport.start()
  await transport.send(callBig(500))
  await expect.poll(() => received.length).toBe(1)
  expect(transport.fault).toBeUndefined()
  await transport.send(callBig(2_000))
  await closed
  expect(received).toHaveLength(1)
  expect(transport.fault).toBe('it sent a message of more than 1000 bytes')
  expect(isRunning(opened.pid)).toBe(false)
})

it('sending after the end rejects', async () => {
  const opened = await openScripted()
  if (typeof opened === 'string') return expect.fail(opened)
  const transport = createStdioTransport(opened)
  await transport.start()
  await transport.close()
  await expect(transport.send(callBig(1))).rejects.toThrow(/write after end|destroyed/)
})

it('the transport delivers a hundred concurrent messages in order', async () => {
  const opened = await openScripted()
  if (typeof opened === 'string') return expect.fail(opened)
  const transport = createStdioTransport(opened)
  const ids: unknown[] = []
  Object.assign(transport, { onmessage: ({ id }: { id: unknown }) => ids.push(id) })
  await transport.start()
  const wanted = Array.from({ length: 100 }, (_, id) => id)
  await Promise.all(wanted.map(id => transport.send({ ...callBig(10_000), id } as ReturnType<typeof callBig>)))
  await expect.poll(() => ids.length).toBe(100)
  expect(ids).toEqual(wanted)
  await transport.close()
})
