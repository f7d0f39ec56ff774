import type { Run } from '@parley/engine'
import { setTimeout as sleep } from 'node:timers/promises'
import { RESULT, by, expectTrue, firstOf, hasty, ignoreSettled, one, onlyOne, refused, resultsOf, rootRun, submit, waiting } from './client-play.ts'
import { asker, clientTool, leadOf } from './client-scenarios.ts'
import { waitForExpiry } from './finish-scenario.ts'
import { effectTool } from './parts.ts'
import type { Scenario } from './scenario.ts'
import { clientFamilyScenarios, clientProcessScenarios } from './client-family-scenarios.ts'
import { clientMessageScenarios, clientResultScenarios } from './client-result-scenarios.ts'

const racing: readonly Scenario[] = [
  waiting(
    'two clients submit different results at the same time, and one of them counts',
    async at => {
      const both = await Promise.allSettled(['client one', 'client two'].map(text => submit(at, firstOf(at), text)))
      return onlyOne(at, both)
    },
    {
      isRace: true,
      check: async at => {
        const [result = '', ...others] = await resultsOf(at)
        expectTrue(others.length === 0 && /client (one|two)/.test(result), `the model read ${result}`)
      },
    },
  ),
  waiting(
    'clients of two processes submit different results at the same time, and one of them counts',
    async at => {
      const processes = [at.runtime, at.another()]
      const { runId, callId } = firstOf(at)
      const both = await Promise.allSettled(processes.map((runtime, index) => runtime.submitToolResult(runId, callId, `client ${index}`)))
      return onlyOne(at, both)
    },
    { isRace: true },
  ),
  waiting('a client repeats a result that was taken, and is refused', async at => {
    const run = await submit(at, firstOf(at))
    await refused(submit(at, firstOf(at), 'again'), 'client-call-settled')
    return run
  }),
  waiting(
    'a result arrives after the deadline, and is refused',
    async at => {
      const call = firstOf(at)
      await sleep(Math.max(0, (call.expiresAt ?? 0) - Date.now()) + 1)
      await refused(submit(at, call, 'late'), 'client-call-settled')
      return waitForExpiry(at.runtime, at.runId)
    },
    { of: { ...one, tool: { timeoutMs: 1 } } },
  ),
  waiting('a result arrives after the run was cancelled, and is refused', async at => {
    const run = await at.runtime.cancel(at.runId)
    await refused(submit(at, firstOf(at), 'late'), 'client-call-settled')
    return run
  }),
  waiting('a result arrives after the run completed, and is refused', at => submit(at, firstOf(at)), {
    check: async at => refused(at.runtime.submitToolResult(await rootRun(at), 'c0-0', 'late'), 'client-call-settled'),
  }),
  waiting(
    'a result for a call of a child run that has ended is refused by either run id',
    at => submit(at, firstOf(at)),
    {
      agents: world => {
        const sub = asker(world, { ...one, agent: { name: 'sub' } })
        return [leadOf([sub]), sub]
      },
      check: async at => {
        const records = await at.store.runs({ scope: 'default', sessionId: at.sessionId, limit: 100 })
        for (const { runId } of records) await refused(at.runtime.submitToolResult(runId, 'c0-0', 'late'), 'client-call-settled')
      },
    },
  ),
  waiting('a result names an unknown call, and the right one still counts', async at => {
    await refused(at.runtime.submitToolResult(at.runId, 'c9', 'x'), 'client-call-unknown')
    return submit(at, firstOf(at))
  }),
  waiting('a client of another scope finds no run, and the right one still counts', async at => {
    const { runId, callId } = firstOf(at)
    await refused(at.runtime.submitToolResult(runId, callId, 'x', { scope: 'other' }), 'run-unknown')
    return submit(at, firstOf(at))
  }),
  waiting(
    'a cancel and a result arrive at the same time',
    async at => {
      const [cancelled, submitted] = await Promise.allSettled([at.runtime.cancel(at.runId), submit(at, firstOf(at))])
      if (submitted.status === 'fulfilled') return submitted.value
      await refused(Promise.reject(submitted.reason as Error), 'client-call-settled')
      return cancelled.status === 'fulfilled' ? cancelled.value : 'over'
    },
    { isRace: true },
  ),
  waiting(
    'a result and the deadline arrive at the same time',
    async at => {
      const run = await submit(at, firstOf(at)).catch((error: unknown) => error)
      if (!(run instanceof Error)) return run as Run
      await refused(Promise.reject(run), 'client-call-settled')
      return waitForExpiry(at.runtime, at.runId)
    },
    { isRace: true, of: { ...one, tool: { timeoutMs: 2 } } },
  ),
]

const together: readonly Scenario[] = [
  waiting('the results of three calls arrive in reverse order', at => submit(at, at.calls.at(-1) ?? firstOf(at)), {
    of: { turns: [['ask_client', 'ask_client', 'ask_client']] },
  }),
  waiting(
    'the results of sixteen calls arrive at the same time',
    async at => {
      const runs = await Promise.all(at.calls.map(call => submit(at, call, `result of ${call.callId}`)))
      return runs.at(-1) ?? 'over'
    },
    { of: { turns: [Array.from({ length: 16 }, () => 'ask_client')] } },
  ),
  waiting(
    'one result arrives and the deadline of the other call passes',
    async at => {
      const call = at.calls.find(({ name }) => name === 'ask_client')
      if (call !== undefined) return submit(at, call)
      return waitForExpiry(at.runtime, at.runId, at.calls[0]?.expiresAt)
    },
    { agents: world => [asker(world, { turns: [['ask_client', 'hasty']], agent: { tools: [clientTool(world, {}), hasty(world)] } })] },
  ),
  {
    name: 'the result arrives while a tool of the process still runs',
    submit: () => RESULT,
    agents: world => {
      const after = async (): Promise<void> => {
        while (!(await world.has('tool.requested'))) await sleep(1)
        const { runId } = world.run()
        await world.elsewhere().submitToolResult(runId, 'c0-0', RESULT).catch(ignoreSettled)
      }
      const tools = [clientTool(world, {}), effectTool(world, 'hear', { effect: 'read', after })]
      return [asker(world, { turns: [['ask_client', 'hear']], agent: { tools } })]
    },
  },
  waiting('the calls of an answer run one after another', at => submit(at, firstOf(at)), {
    of: { turns: [['ask_client', 'pay', 'ask_client']], agent: { toolExecution: 'sequential' } },
  }),
  waiting('an approval handler decides about another call while the client works', at => submit(at, firstOf(at)), {
    of: { turns: [['ask_client', 'ok']], agent: { onApproval: () => ({ type: 'approved' }) } },
  }),
  waiting(
    'an approver changes the arguments before the client sees them',
    async at => {
      const approval = (await at.runtime.pending(at.runId)).approvals[0]
      if (approval !== undefined)
        return at.runtime.decide(at.runId, approval.approvalId, { decision: { type: 'modified', input: { at: 'window' } }, by })
      expectTrue(JSON.stringify(firstOf(at).input) === '{"at":"window"}', JSON.stringify(firstOf(at).input))
      return submit(at, firstOf(at))
    },
    { of: { ...one, tool: { permission: 'ask' } } },
  ),
  waiting(
    'an approver rejects a call, and the client never sees it',
    async at => {
      const { approvals, clientCalls } = await at.runtime.pending(at.runId)
      expectTrue(clientCalls.length === 0, 'the client sees the call')
      return at.runtime.decide(at.runId, approvals[0]?.approvalId ?? '', { decision: { type: 'rejected', reason: 'no' }, by })
    },
    { of: { ...one, tool: { permission: 'ask' } } },
  ),
  waiting('the client never sees a call whose arguments are invalid', () => Promise.reject(new Error('the run is suspended')), {
    of: { ...one, tool: { input: { type: 'object', required: ['at'] } } },
  }),
]

/** Calls of the client in bad moments: results that race, repeat or come late, and processes that change. */
export const clientRaceScenarios: readonly Scenario[] = [
  ...racing,
  ...together,
  ...clientResultScenarios,
  ...clientMessageScenarios,
  ...clientProcessScenarios,
  ...clientFamilyScenarios,
]
