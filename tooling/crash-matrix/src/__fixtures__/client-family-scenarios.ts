import { defineAgent } from '@parley/engine'
import { RESULT, expectTrue, firstOf, one, refused, submit, waiting } from './client-play.ts'
import { asker, clientTool, leadOf } from './client-scenarios.ts'
import { modelOf } from './parts.ts'
import type { Scenario } from './scenario.ts'

/** Scenarios in which other processes take part while a call waits for the client. */
export const clientProcessScenarios: readonly Scenario[] = [
  waiting('another process receives the result', at => submit({ ...at, runtime: at.another() }, firstOf(at))),
  waiting('the process that asked closes before the result arrives', async at => {
    const other = at.another()
    await at.runtime.close()
    return submit({ ...at, runtime: other }, firstOf(at))
  }, { check: undefined }),
  waiting('a client asks for the pending calls and answers them', async at => {
    const { clientCalls } = await at.another().pending(at.runId)
    const [call] = clientCalls
    if (call === undefined) throw new Error('no call is pending')
    return submit(at, { ...call, runId: call.runId ?? at.runId })
  }),
  waiting('resumeAll of another process leaves the run waiting', async at => {
    const { runs } = await at.another().resumeAll()
    expectTrue(!runs.some(({ runId }) => runId === at.runId), 'the run was resumed')
    return submit(at, firstOf(at))
  }),
  waiting('resume leaves the run waiting', async at => {
    const { status } = await (await at.runtime.resume(at.runId)).result
    expectTrue(status === 'suspended', `the run is ${status}`)
    return submit(at, firstOf(at))
  }),
  waiting('a later version of the agent no longer has the tool', async at => {
    const model = modelOf(() => 'All done.')
    const later = at.another([defineAgent({ name: 'worker', model })])
    return submit({ ...at, runtime: later }, firstOf(at))
  }, { isRace: true }),
]

/** Scenarios in which child runs, handoffs and forks have calls of the client. */
export const clientFamilyScenarios: readonly Scenario[] = [
  {
    name: 'a child run of a child run makes the call',
    submit: () => RESULT,
    agents: world => {
      const deep = asker(world, { ...one, agent: { name: 'deep' } })
      const sub = leadOf([deep], { name: 'sub' })
      return [leadOf([sub]), sub, deep]
    },
  },
  waiting('a handoff and a call of the client are in one answer', at => submit(at, firstOf(at)), {
    agents: world => {
      const other = asker(world, { turns: [[], ['look']], agent: { name: 'other' } })
      return [asker(world, { turns: [['ask_client', 'transfer_to_other']], agent: { handoffs: [other] } }), other]
    },
  }),
  waiting('a parent run and its child run wait, and their calls have the same id', at => submit(at, at.calls.at(-1) ?? firstOf(at)), {
    agents: world => {
      const sub = asker(world, { ...one, agent: { name: 'sub' } })
      return [leadOf([sub], { tools: [clientTool(world, {})] }, 'ask_client'), sub]
    },
  }),
  waiting(
    'two child runs wait for calls with the same id, which their own run ids tell apart',
    async at => {
      if (at.calls.length === 2) await refused(at.runtime.submitToolResult(at.runId, 'c0-0', 'x'), 'request-invalid')
      return submit(at, firstOf(at), 'a result for one child')
    },
    {
      agents: world => {
        const [left, right] = ['left', 'right'].map(name => asker(world, { ...one, agent: { name } }))
        if (left === undefined || right === undefined) throw new Error('no agents')
        return [leadOf([left, right]), left, right]
      },
    },
  ),
  waiting('a parent run is cancelled while its child run waits', at => at.runtime.cancel(at.runId), {
    agents: world => {
      const sub = asker(world, { ...one, agent: { name: 'sub' } })
      return [leadOf([sub]), sub]
    },
  }),
  waiting('the run forks while the call waits, and both runs end', async at => {
    const sessionId = `${at.sessionId} fork`
    const [known] = await at.store.runs({ scope: 'default', sessionId })
    if (known === undefined) {
      const fork = await at.runtime.fork(at.runId, { sessionId, input: 'another way' })
      await fork.result
    } else if (known.status === 'running') await (await at.runtime.resume(known.runId)).result
    return submit(at, firstOf(at))
  }, {
    check: async ({ store, sessionId }) => {
      const [fork] = await store.runs({ scope: 'default', sessionId: `${sessionId} fork` })
      expectTrue(fork?.status === 'completed', `the fork is ${fork?.status}`)
    },
  }),
  waiting('a run forks after the result of a call', at => submit(at, firstOf(at)), { inputs: ['one', 'two'], forkAt: 8 }),
  waiting('a rerun of the run waits for a result of its own', at => submit(at, firstOf(at)), {
    inputs: ['one'],
    check: async at => {
      const [newest] = await at.store.runs({ scope: 'default', sessionId: at.sessionId })
      const again = await (await at.runtime.rerun(newest?.runId ?? '', { sessionId: `${at.sessionId} rerun ${Math.random()}` })).result
      expectTrue(again.status === 'suspended', `the rerun is ${again.status}`)
      const { status } = await (await at.runtime.submitToolResult(again.runId, 'c0-0', RESULT)).result
      expectTrue(status === 'completed', `the rerun is ${status}`)
    },
  }),
]
