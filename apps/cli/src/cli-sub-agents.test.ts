import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openCli } from './__fixtures__/open-cli.ts'
import { openModelServer } from './__fixtures__/open-model-server.ts'

/** A tool that delegates to an agent whose own tool requires approval. */
const TOOLS = `
const pay = {
  name: 'pay', description: 'Pays.', input: { type: 'object' }, permission: { effect: 'ask', prompt: 'Pay now?' },
  execute: () => 'paid at last',
}
const model = {
  provider: 'own', id: 'm', info: {},
  async *stream({ messages }) {
    if (messages.length === 1) {
      yield { type: 'text.delta', text: 'The clerk talks.' }
      yield { type: 'tool-call', callId: 'p1', name: 'pay', arguments: '{}' }
      yield { type: 'finish', reason: 'tool-calls' }
      return
    }
    yield { type: 'text.delta', text: 'The clerk has paid.' }
    yield { type: 'finish', reason: 'stop' }
  },
}
export const order = {
  name: 'order', description: 'Orders.', input: { type: 'object' },
  execute: async (_, { delegate }) => (await delegate({ agent: { name: 'clerk', model, tools: [pay] }, input: 'Pay.' })).text,
}
`

it('parley run indents the work of a sub-agent, hides its text, and approve decides about its calls', async () => {
  await using server = await openModelServer([[{ name: 'order', input: {} }], 'All is ordered.'])
  await using cli = await openCli({ environment: { OPENAI_BASE_URL: server.url } })
  await writeFile(join(cli.dir, 'tools.mjs'), TOOLS)
  const suspended = await cli.run('run', '--model', 'test-model', '--tools', 'tools.mjs', 'go')
  expect(suspended.error).toBe('')
  expect(suspended.code).toBe(3)
  expect(suspended.out).toContain('  ⇢ clerk starts\n  ? Pay now?\n')
  expect(suspended.out).not.toContain('The clerk talks.')

  const { code, out, error } = await cli.run('approve', 'last')
  expect(error).toBe('')
  expect(code).toBe(0)
  expect(out).toContain('  → pay {}\n')
  expect(out).toMatch(/\n {2}← pay \d+ ms paid at last\n {2}⇠ completed, 2 turns\n← order \d+ ms The clerk has paid\./)
  expect(out).toContain('All is ordered.')

  const trace = await cli.run('trace')
  expect(trace.out).toMatch(/agent\.started +clerk, run [0-9a-f-]{36}\n/)
  expect(trace.out).toMatch(/agent\.suspended +approval pending: pay/)
  expect(trace.out).toMatch(/agent\.ended +completed, 2 turns, .*: The clerk has paid\./)
  expect(trace.out).toContain('agent assistant · completed')
})
