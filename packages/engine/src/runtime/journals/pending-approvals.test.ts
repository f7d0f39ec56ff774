import { defineTool, type Tool } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { agentTool, createRuntime, defineAgent, RunFailedError } from '../../index.ts'

const APPROVED = { decision: { type: 'approved' } } as const

/** A store with suspended runs, and a second runtime that knows none of their agents. */
function setup() {
  const store = createMemoryStore()
  const paid: string[] = []
  const pay = (name: string, roles?: readonly string[]): Tool =>
    defineTool({
      name,
      description: 'Pays.',
      input: { type: 'object' },
      permission: roles === undefined ? 'ask' : { type: 'ask', roles: [...roles] },
      execute: () => {
        paid.push(name)
        return 'paid'
      },
    } as Parameters<typeof defineTool>[0]) as Tool
  const asking = (name: string, tool: Tool) =>
    defineAgent({
      name,
      description: name,
      model: scriptedModel(({ messages }) =>
        messages.at(-1)?.role === 'tool' ? 'Done.' : { toolCalls: [{ name: tool.name, input: { task: 't' } }] },
      ),
      tools: [tool],
    })
  const clerk = asking('clerk', pay('pay'))
  const agents = [clerk, asking('boss', pay('transfer', ['boss'])), asking('lead', agentTool(clerk))]
  const runtime = createRuntime({ store, agents })
  return { store, runtime, paid, elsewhere: createRuntime({ store }) }
}

describe('approvals', () => {
  it('approvals lists the pending approvals of all unfinished runs without their agents', async () => {
    const { runtime, elsewhere } = setup()
    const first = await runtime.run('clerk', 'go').result
    const second = await runtime.run('boss', 'go').result
    expect(await elsewhere.approvals()).toMatchObject([
      { runId: second.runId, name: 'transfer', roles: ['boss'] },
      { runId: first.runId, name: 'pay' },
    ])
  })

  it('approvals selects by session, by run, by scope and by the role of the approver', async () => {
    const { runtime, elsewhere } = setup()
    const { runId } = await runtime.run('clerk', 'go', { sessionId: 's' }).result
    await runtime.run('boss', 'go', { sessionId: 't' }).result
    const names = async (query: Parameters<typeof elsewhere.approvals>[0]): Promise<string[]> =>
      (await elsewhere.approvals(query)).map(({ name }) => name)
    expect(await names({ sessionId: 's' })).toEqual(['pay'])
    expect(await names({ runId })).toEqual(['pay'])
    expect(await names({ role: 'clerk' })).toEqual(['pay'])
    expect(await names({ role: 'boss' })).toEqual(['transfer', 'pay'])
    expect(await names({ scope: 'other' })).toEqual([])
    await expect(elsewhere.approvals({ runId, scope: 'other' })).rejects.toMatchObject({ code: 'run-unknown' })
    expect(await createRuntime().approvals()).toEqual([])
  })

  it('approvals lists the request of a child run once, with the id of the child run', async () => {
    const { runtime, elsewhere, store } = setup()
    const { runId } = await runtime.run('lead', 'go').result
    const [child] = await store.runs({ scope: 'default', relation: 'sub-agent' })
    expect(await elsewhere.approvals()).toMatchObject([{ runId: child?.runId, name: 'pay' }])
    expect(await elsewhere.approvals({ runId })).toHaveLength(1)
  })
})

describe('decide with an approval id alone', () => {
  it('decide finds the run of an approval, also of a child run', async () => {
    const { runtime, paid } = setup()
    await runtime.run('clerk', 'go').result
    await runtime.run('lead', 'go').result
    for (const { approvalId } of await runtime.approvals())
      expect((await (await runtime.decide(approvalId, APPROVED)).orThrow()).text).toBe('Done.')
    expect(paid).toEqual(['pay', 'pay'])
    expect(await runtime.approvals()).toEqual([])
  })

  it('decide rejects an approval that is unknown, of another scope, or decided before', async () => {
    const { runtime } = setup()
    await runtime.run('clerk', 'go').result
    const [request] = await runtime.approvals()
    const approvalId = request?.approvalId ?? ''
    const unknown = { code: 'approval-unknown', info: { approvalId } }
    await expect(runtime.decide(approvalId, { ...APPROVED, scope: 'other' })).rejects.toMatchObject(unknown)
    await (await runtime.decide(approvalId, APPROVED)).orThrow()
    await expect(runtime.decide(approvalId, APPROVED)).rejects.toMatchObject(unknown)
    await expect(runtime.decide('x', APPROVED)).rejects.toThrow("No unfinished run has a pending approval 'x'.")
  })
})

describe('a message to a session whose run is suspended', () => {
  it('the message is refused with what the session waits for and the calls that answer it', async () => {
    const { runtime } = setup()
    const { runId } = await runtime.run('clerk', 'go', { sessionId: 's' }).result
    const [request] = await runtime.approvals()
    const failure = await runtime.invoke('clerk', 'more', { sessionId: 's' }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(RunFailedError)
    expect((failure as RunFailedError).message).toContain(
      `Session 's' takes no message, because its run '${runId}' waits for approval '${request?.approvalId}' of a call of ` +
        "'pay'. Answer that (runtime.decide, runtime.submitToolResult), or cancel the run, then try again.",
    )
  })

  it('the message is refused with the call of the client that the session waits for', async () => {
    const look = defineTool({ name: 'look', description: 'd', input: { type: 'object' } })
    const agent = defineAgent({ name: 'a', model: scriptedModel([{ toolCalls: [{ name: 'look' }] }]), tools: [look] })
    const runtime = createRuntime({ store: createMemoryStore(), agents: [agent] })
    await runtime.run('a', 'go', { sessionId: 's' }).result
    expect(await runtime.run('a', 'more', { sessionId: 's' }).result).toMatchObject({
      status: 'failed',
      error: { code: 'session-busy', waitsFor: ["the result of call 'call_1' of 'look' from the client"] },
    })
  })
})
