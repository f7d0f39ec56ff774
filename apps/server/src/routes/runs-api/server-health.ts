import { describeError, type ErrorInfo } from '@parley/core'
import type { HealthPart, ServerHealth } from '@parley/runs-api'
import type { ServerContext } from '../../state/server-context.ts'
import { toAgentInfo, toolsOf } from './describe-agent.ts'

/** Describes the state of the server. Asks the store and the event bus, but no model and no tool source. */
export async function healthOf({ runtime, agents, store }: ServerContext): Promise<ServerHealth> {
  const { alive, activeRuns, queuedRuns, lastModelCall, store: state, bus } = await runtime.health()
  const offered = agents.names.map(name => agents.get(name))
  const { tools, sources } = toolsOf(offered, runtime.tools)
  const models = new Set(offered.flatMap(agent => toAgentInfo(agent).model ?? []))
  const parts: HealthPart[] = [
    { kind: 'store', name: store.name, ...(typeof state === 'object' ? failed(state.error) : { status: 'ok' }) },
    ...(bus === undefined ? [] : [busPart(bus)]),
    ...[...models].map((name): HealthPart => ({ kind: 'model', name, status: 'unknown' })),
    ...sources.map(({ name }): HealthPart => ({ kind: 'tool-source', name, status: 'unknown' })),
    ...tools.map(({ name }): HealthPart => ({ kind: 'tool', name, status: 'ok' })),
  ]
  const last = lastModelCall?.status
  return {
    alive,
    activeRuns,
    queuedRuns,
    ...(lastModelCall === undefined
      ? {}
      : { lastModelCall: { at: lastModelCall.at, ...(typeof last === 'object' ? { error: last.error } : {}) } }),
    parts,
  }
}

function busPart(bus: NonNullable<Awaited<ReturnType<ServerContext['runtime']['health']>>['bus']>): HealthPart {
  const part = { kind: 'event-bus', name: 'events' } as const
  if ('error' in bus) return { ...part, ...failed(bus.error) }
  const { subscribers, backlog, deadLetters } = bus
  const detail = `${subscribers} subscribers, ${backlog} events wait, ${deadLetters} dead letters`
  return { ...part, status: 'ok', detail }
}

function failed(error: ErrorInfo): Pick<HealthPart, 'status' | 'detail' | 'error'> {
  return { status: 'failed', detail: describeError(error), error }
}
