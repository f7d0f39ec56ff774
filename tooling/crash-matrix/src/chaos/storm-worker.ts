import { setTimeout as sleep } from 'node:timers/promises'
import { ParleyError, toErrorInfo, type Store } from '@parley/core'
import { createRuntime, type Runtime } from '@parley/engine'
import type { Place } from '../__fixtures__/matrix-worker.ts'
import { openRaceStore } from '../__fixtures__/open-race-store.ts'
import { openLedger } from './ledger.ts'
import { poisonedStore } from './poisoned-store.ts'
import { stormAgents } from './storm-agents.ts'
import type { StormAnswer, StormCommand, StormRequest } from './storm-command.ts'

/** The settings of one worker of a storm. */
export interface StormOrder {
  readonly place: Place
  /** Path of the ledger. */
  readonly ledger: string
  readonly leaseMs: number
}

/** Drives and resumes runs, and obeys commands, until the message `end`. No error is caught that a user would not catch. */
async function work({ place, ledger, leaseMs }: StormOrder): Promise<void> {
  const store = await openPatiently(place)
  const runtime = createRuntime({
    store: poisonedStore(store),
    agents: stormAgents(openLedger(ledger)),
    autoResume: ['default'],
    leaseMs,
    onClose: 'suspend',
  })
  process.on('message', (message: StormRequest | 'end') => {
    if (message === 'end') void end(runtime, store)
    else void obey(runtime, message)
  })
  process.send?.('ready')
}

/** Opens the store. Tries again while the store is unavailable, because the storm may be restarting the database. */
async function openPatiently(place: Place): Promise<Store> {
  for (;;) {
    try {
      return await openRaceStore(place)
    } catch (error) {
      if (toErrorInfo(error).code !== 'store-unavailable') throw error
      await sleep(100)
    }
  }
}

async function end(runtime: Runtime, store: Store): Promise<void> {
  await runtime.close({ drainMs: 2_000 })
  await store[Symbol.asyncDispose]()
  process.disconnect()
}

async function obey(runtime: Runtime, { id, command }: StormRequest): Promise<void> {
  let refused: string | undefined
  try {
    await perform(runtime, command)
  } catch (error) {
    refused = toErrorInfo(error).code
  }
  const answer: StormAnswer = { id, refused }
  if (process.connected) process.send?.(answer)
}

async function perform(runtime: Runtime, command: StormCommand): Promise<unknown> {
  const { runId } = command
  switch (command.type) {
    case 'start':
      return start(runtime, command)
    case 'decide':
      return runtime.decide(runId, command.approvalId, {
        decision: command.verdict === 'approved' ? { type: 'approved' } : { type: 'rejected', reason: 'no' },
      })
    case 'submit':
      return runtime.submitToolResult(runId, command.callId, command.text)
    case 'cancel':
      return runtime.cancel(runId)
    case 'steer':
      return runtime.steer(runId, 'and more')
    case 'resume':
      return runtime.resume(runId)
  }
}

/** Starts a run. Resolves when the journal has the run. */
async function start(runtime: Runtime, command: Extract<StormCommand, { type: 'start' }>): Promise<void> {
  const { runId, agent, sessionId } = command
  const run = runtime.run(agent, `[${runId}]`, { runId, sessionId })
  for await (const { type } of run) if (type === 'run.started') return
  const result = await run.result
  if ('error' in result) throw new ParleyError(result.error)
  throw new Error(result.status)
}

await work(JSON.parse(process.argv[2] ?? '') as StormOrder)
