// Deep: it starts a Restate server.
import { defineTool, messageText, toolAsk, type ToolContext } from '@parley/core'
import { agentTool } from '@parley/engine'
import { isValidTranscript, loadRun } from '@parley/engine/journal'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { isWithoutRestate, notTriedOnRestate } from './__fixtures__/not-tried-on-restate.ts'
import { helperAgent, PAY } from './__fixtures__/helper-agent.ts'
import { countEntries, openPlace, requested, untilEntry, type PlaceOptions } from './__fixtures__/open-place.ts'
import { startRestate, type RestateServer } from './__fixtures__/start-restate.ts'

const APPROVED = { decision: { type: 'approved' as const } }

it.runIf(isWithoutRestate)('a Restate server is installed', notTriedOnRestate)

describe.skipIf(isWithoutRestate)('a run on Restate', () => {
  let server: RestateServer
  const open = (given: Omit<PlaceOptions, 'server' | 'url'>) =>
    openPlace({ server, url: inject('postgresUrl'), ...given })

  beforeAll(async () => {
    server = await startRestate()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it('a run on Restate completes once, however often the client starts it', async () => {
    await using place = await open({ script: [PAY, 'Paid.'] })
    const run = await place.client.start('a', 'go')
    const again = await place.client.start('a', 'go', { runId: run.runId, sessionId: run.sessionId })
    const ended = { runId: run.runId, status: 'completed', text: 'Paid.', turns: 2 }
    expect(await run.result()).toMatchObject(ended)
    expect(await again.result()).toMatchObject(ended)
    expect(place.paid).toHaveLength(1)
    expect(await (await place.client.run(run.runId)).result()).toMatchObject(ended)
  })

  it('the client reports why a run on Restate cannot start', async () => {
    await using place = await open({ script: ['Hi.'] })
    const run = await place.client.start('nobody', 'go')
    await expect(run.result()).rejects.toMatchObject({ info: { code: 'agent-unknown', agent: 'nobody', known: ['a'] } })
    await expect(place.client.run('never')).rejects.toMatchObject({ info: { code: 'run-unknown' } })
  })

  it('a run on Restate keeps its own settings and instructions, and the worker validates them', async () => {
    await using place = await open({ script: ['Hi.'] })
    const own = { settings: { temperature: 0.5 }, instructions: 'Be brief.' }
    const run = await place.client.start('a', 'go', own)
    expect(await run.result()).toMatchObject({ text: 'Hi.' })
    expect((await place.store.read(run.runId))[0]).toMatchObject(own)
    const hot = await place.client.start('a', 'go', { settings: { temperature: -1 } })
    await expect(hot.result()).rejects.toMatchObject({ info: { code: 'config-invalid', path: 'settings.temperature' } })
  })

  it('a run on Restate is suspended for approval, and one of two decisions counts', async () => {
    await using place = await open({ script: [PAY, 'Paid.'], tool: { permission: 'ask' } })
    const run = await place.client.start('a', 'go')
    const approvalId = await requested(run)
    await expect(run.decide('nope', APPROVED)).rejects.toMatchObject({ info: { code: 'approval-unknown' } })
    const both = await Promise.allSettled([run.decide(approvalId, APPROVED), run.decide(approvalId, APPROVED)])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await run.result()).toMatchObject({ text: 'Paid.' })
    await expect(run.decide(approvalId, APPROVED)).rejects.toMatchObject({ info: { code: 'approval-decided' } })
    expect(place.paid).toHaveLength(1)
    const asked = ['step 1', 'tool pay', 'step 2']
    expect(await server.operations(run.runId)).toEqual([...asked, 'step 3', 'tool pay', 'step 4', 'step 5'])
  })

  it('a run on Restate accepts a decision only from a user with one of the roles', async () => {
    const asks = {
      execute: (_: unknown, { approved }: ToolContext) => (approved ? 'paid' : toolAsk('Pay?', { roles: ['boss'] })),
    }
    await using place = await open({ script: [PAY, 'Paid.'], tool: asks })
    const run = await place.client.start('a', 'go')
    const approvalId = await requested(run)
    const refusal = { info: { code: 'approval-forbidden', roles: ['boss'] } }
    await expect(run.decide(approvalId, APPROVED)).rejects.toMatchObject(refusal)
    await expect(run.decide(approvalId, { ...APPROVED, by: { id: 'eve', roles: ['clerk'] } })).rejects.toMatchObject(
      refusal,
    )
    await run.decide(approvalId, { ...APPROVED, by: { id: 'ann', roles: ['boss'] } })
    expect(await run.result()).toMatchObject({ text: 'Paid.' })
  })

  it('a run on Restate keeps a decision that arrives before the run is suspended', async () => {
    const gate = Promise.withResolvers<string>()
    const slow = defineTool({
      name: 'slow',
      description: 'Works.',
      input: { type: 'object' },
      execute: () => gate.promise,
    })
    await using place = await open({
      script: [{ toolCalls: [...PAY.toolCalls, { name: 'slow' }] }, 'Paid.'],
      tool: { permission: 'ask' },
      agent: pay => ({ tools: [pay, slow] }),
    })
    const run = await place.client.start('a', 'go')
    await run.decide(await requested(run), APPROVED)
    expect(place.paid).toEqual([])
    gate.resolve('done')
    expect(await run.result()).toMatchObject({ text: 'Paid.' })
    expect(place.paid).toHaveLength(1)
  })

  it('a run on Restate resumes by itself when an approval times out', async () => {
    const asks = {
      execute: (_: unknown, { approved }: ToolContext) => (approved ? 'paid' : toolAsk('Pay?', { expiresInMs: 300 })),
    }
    await using place = await open({ script: [PAY, 'Not paid.'], tool: asks })
    const run = await place.client.start('a', 'go')
    expect(await run.result()).toMatchObject({ text: 'Not paid.' })
    const decided = (await place.store.read(run.runId)).find(entry => entry.type === 'approval.decided')
    expect(decided).toMatchObject({ decision: { type: 'timed-out' } })
  })

  it('a run on Restate is cancelled during a tool call, and the tool receives the reason', async () => {
    const stopped = Promise.withResolvers<unknown>()
    const endless = {
      execute: (_: unknown, { signal }: ToolContext) =>
        new Promise<string>((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            stopped.resolve(signal.reason)
            reject(signal.reason)
          })
        }),
    }
    await using place = await open({ script: [PAY, 'never'], tool: endless })
    const run = await place.client.start('a', 'go')
    await untilEntry(run, 'tool.started')
    await run.cancel({ kind: 'user', detail: 'enough' })
    await stopped.promise
    expect(await run.result()).toMatchObject({
      status: 'cancelled',
      reason: { kind: 'user', detail: 'enough' },
    })
    const { transcript } = await loadRun(place.store, run.runId)
    expect(isValidTranscript(transcript.toArray())).toBe(true)
  })

  it('a run on Restate is cancelled through the admin API of the server during a tool call', async () => {
    const endless = {
      execute: (_: unknown, { signal }: ToolContext) =>
        new Promise<string>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    }
    await using place = await open({ script: [PAY, 'never'], tool: endless })
    const run = await place.client.start('a', 'go')
    await untilEntry(run, 'tool.started')
    await server.cancelRun(run.runId)
    expect((await run.result()).status).toBe('cancelled')
  })

  it('a suspended run on Restate is cancelled by the client or through the admin API of the server', async () => {
    await using place = await open({ script: () => PAY, tool: { permission: 'ask' } })
    const [one, two] = [await place.client.start('a', 'go'), await place.client.start('a', 'go')]
    await requested(one)
    await requested(two)
    await one.cancel()
    await server.cancelRun(two.runId)
    expect((await one.result()).status).toBe('cancelled')
    expect((await two.result()).status).toBe('cancelled')
    expect(place.paid).toEqual([])
  })

  it('a run on Restate takes each steering and follow-up message once and rejects messages after its end', async () => {
    const gate = Promise.withResolvers<void>()
    const slow = {
      execute: async () => {
        await gate.promise
        return 'paid'
      },
    }
    const script = ({ messages }: { readonly messages: readonly { readonly role: string }[] }) =>
      messages.length === 1 ? PAY : 'Done.'
    await using place = await open({ script, tool: slow })
    const run = await place.client.start('a', 'go')
    await untilEntry(run, 'tool.started')
    await Promise.all([run.steer('one'), run.steer('two')])
    await run.followUp('three')
    gate.resolve()
    expect((await run.result()).status).toBe('completed')
    expect(await countEntries(place.store, run)).toMatchObject({ 'input.queued': 3, 'run.ended': 1 })
    const said = (await loadRun(place.store, run.runId)).transcript.toArray().filter(({ role }) => role === 'user')
    expect(said.map(messageText).sort()).toEqual(['go', 'one', 'three', 'two'])
    await expect(run.steer('late')).rejects.toMatchObject({ info: { code: 'run-ended' } })
  })

  it('runs of one session on Restate run in the order of their start', async () => {
    const gate = Promise.withResolvers<void>()
    const slow = {
      execute: async () => {
        await gate.promise
        return 'paid'
      },
    }
    const script = ({ messages }: { readonly messages: readonly { readonly role: string }[] }) =>
      messages.length === 1 ? PAY : `After ${messages.length}.`
    await using place = await open({ script, tool: slow })
    const first = await place.client.start('a', 'one', { sessionId: 's' })
    const second = await place.client.start('a', 'two', { sessionId: 's' })
    const third = await place.client.start('a', 'three', { sessionId: 's' })
    await untilEntry(first, 'tool.started')
    await second.cancel({ kind: 'user', detail: 'before it began' })
    gate.resolve()
    expect(await first.result()).toMatchObject({ text: 'After 3.' })
    expect((await second.result()).status).toBe('cancelled')
    expect((await third.result()).status).toBe('completed')
    const said = (await loadRun(place.store, third.runId)).transcript.toArray().filter(({ role }) => role === 'user')
    expect(said.map(messageText)).toEqual(['one', 'two', 'three'])
  })

  it('the client streams the entries of a run on Restate and the progress of its tools between them', async () => {
    const gate = Promise.withResolvers<void>()
    const telling = {
      execute: async (_: unknown, { progress }: ToolContext) => {
        progress('half')
        await gate.promise
        return 'paid'
      },
    }
    await using place = await open({ script: [PAY, 'Paid.'], tool: telling })
    const run = await place.client.start('a', 'go')
    const seen: string[] = []
    for await (const event of run.events()) {
      seen.push(event.type)
      if (event.type === 'tool.progress') gate.resolve()
    }
    const [started, progress, ended] = ['tool.started', 'tool.progress', 'tool.ended'].map(type => seen.indexOf(type))
    expect(seen[0]).toBe('run.started')
    expect([started, progress, ended]).toEqual([started, progress, ended].toSorted((a = 0, b = 0) => a - b))
    expect(progress).toBeGreaterThan(0)
    expect(seen.at(-1)).toBe('run.ended')
  })

  it('a run on Restate continues on another worker when its worker closes, and the running tool call counts', async () => {
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    let times = 0
    const slow = {
      execute: async () => {
        times += 1
        begun.resolve()
        await gate.promise
        return 'paid'
      },
    }
    await using place = await open({ script: [PAY, 'Paid.'], tool: slow })
    const run = await place.client.start('a', 'go')
    await begun.promise
    const closing = place.host.close()
    await using _other = await place.joinHost()
    gate.resolve()
    await closing
    expect(await run.result()).toMatchObject({ text: 'Paid.' })
    expect(times).toBe(1)
    expect(await countEntries(place.store, run)).toMatchObject({ 'tool.started': 1, 'tool.ended': 1 })
  })

  it('a child run of an agent object runs inside its parent run, and its approval is decided through the child run', async () => {
    await using place = await open({
      script: [{ toolCalls: [{ name: 'ask_helper', input: { task: 'pay' } }] }, 'All done.'],
      tool: { permission: 'ask' },
      agent: pay => ({ tools: [agentTool(helperAgent(pay), { name: 'ask_helper' })] }),
    })
    const run = await place.client.start('a', 'go')
    let inner = { approvalId: '', runId: '' }
    for await (const event of run.events()) {
      if (event.type !== 'agent.suspended') continue
      inner = { approvalId: event.approvals[0]?.approvalId ?? '', runId: event.childRunId }
      break
    }
    await (await place.client.run(inner.runId)).decide(inner.approvalId, APPROVED)
    expect(await run.result()).toMatchObject({ text: 'All done.' })
    expect(place.paid).toHaveLength(1)
  })
})
