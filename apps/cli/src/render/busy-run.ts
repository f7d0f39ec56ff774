import { hostname } from 'node:os'
import type { ErrorInfo } from '@parley/core'

type BusyRun = Omit<Extract<ErrorInfo, { readonly code: 'run-busy' }>, 'code'>

/** Says which worker drives a run, and when its claim ends if the worker has died. */
export function describeBusyRun({ runId, worker, aliveUntil }: BusyRun, now: number): string {
  const driven = `Run ${runId} is being driven by ${nameOf(worker)}.`
  if (aliveUntil === undefined) return driven
  const seconds = Math.max(1, Math.ceil((aliveUntil - now) / 1_000))
  return `${driven} Its claim ends in ${seconds} s unless it sends another heartbeat.`
}

/** Describes a worker. The name of a `parley` process is `host/pid/place`. */
function nameOf(worker: string): string {
  const [, host, pid] = /^(.+)\/(\d+)\/[0-9a-f]+$/.exec(worker) ?? []
  if (pid === undefined) return `another worker (${worker})`
  return host === hostname() ? `another worker (pid ${pid})` : `another worker (pid ${pid} on ${host})`
}
