import { ParleyError, type Principal } from '@parley/core'
import type { Run, ToolResult } from '@parley/engine'
import { asking, clientTool, type Asker } from './client-scenarios.ts'
import type { Scenario, ScenarioRun, Waiting, World } from './scenario.ts'

type Call = Waiting['calls'][number]

export const RESULT = 'from the client'
export const by: Principal = { id: 'ada', roles: ['boss'] }

export function submit({ runtime }: ScenarioRun, { runId, callId }: Call, result: ToolResult = RESULT): Promise<Run> {
  return runtime.submitToolResult(runId, callId, result)
}

export function firstOf({ calls: [call] }: Waiting): Call {
  if (call === undefined) throw new Error('no call waits')
  return call
}

/** Checks that a command is refused with a code. */
export async function refused(command: Promise<unknown>, ...codes: readonly string[]): Promise<void> {
  const outcome = await command.then(
    () => 'accepted',
    (error: unknown) => (ParleyError.is(error) ? error.info.code : String(error)),
  )
  if (!codes.includes(outcome)) throw new Error(`${outcome} instead of ${codes.join(' or ')}`)
}

export function expectTrue(holds: boolean, fault: string): void {
  if (!holds) throw new Error(fault)
}

export async function rootRun({ store, sessionId }: ScenarioRun): Promise<string> {
  const records = await store.runs({ scope: 'default', sessionId, limit: 100 })
  return records.findLast(({ relation }) => relation !== 'sub-agent')?.runId ?? ''
}

/** The texts of the results that the model has read. */
export async function resultsOf(at: ScenarioRun): Promise<readonly string[]> {
  const messages = await at.runtime.transcript(await rootRun(at))
  return messages.flatMap(message => (message.role === 'tool' ? [JSON.stringify(message.content)] : []))
}

export const one: Asker = { turns: [['ask_client']] }

/** A scenario with one call, whose suspended run `whenWaiting` continues. */
export function waiting(name: string, whenWaiting: Scenario['whenWaiting'], rest: Partial<Scenario> & { readonly of?: Asker } = {}): Scenario {
  const { of = one, ...fields } = rest
  return asking(name, of, { submit: undefined, whenWaiting, ...fields })
}

/** Does something once for the session, however often its process dies. */
export async function onceFor({ done }: ScenarioRun, name: string, act: () => Promise<unknown>): Promise<void> {
  if (done.has(name)) return
  await act()
  done.add(name)
}

/** Checks that at most one of two results counts: none if a process that was killed had sent another one before. */
export async function onlyOne({ store, runId }: Waiting, both: readonly PromiseSettledResult<Run>[]): Promise<Run | 'over'> {
  const won = both.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
  for (const each of both) if (each.status === 'rejected') await refused(Promise.reject(each.reason as Error), 'client-call-settled')
  const submitted = (await store.read(runId)).filter(({ type }) => type === 'tool.submitted')
  expectTrue(won.length <= 1 && submitted.length === 1, `${won.length} results were accepted, ${submitted.length} count`)
  return won[0] ?? 'over'
}

export const hasty = (world: World) => clientTool(world, { name: 'hasty', timeoutMs: 1 })


export function ignoreSettled(error: unknown): void {
  if (!ParleyError.is(error, 'client-call-settled')) throw error
}
