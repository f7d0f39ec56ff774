import { ParleyError } from '@parley/core'

/** A moment at which the process of a run is killed. `run` is empty for the root run, and names the call path of a child run. */
export type CrashPoint =
  /** Around the append that makes the entry `seq` durable. */
  | { readonly type: 'before' | 'after'; readonly run: string; readonly seq: number }
  /** In the handler of a call, directly after its change number `change` of the world. */
  | { readonly type: 'change'; readonly run: string; readonly callId: string; readonly change: number }
  /** The handler has returned, and no entry says so. */
  | { readonly type: 'end'; readonly run: string; readonly callId: string }

/** Writes a point as one word, for `--at`. */
export function formatPoint(point: CrashPoint): string {
  return `${wordOf(point)}${point.run === '' ? '' : `@${point.run}`}`
}

function wordOf(point: CrashPoint): string {
  if (point.type === 'end') return `end:${point.callId}`
  if (point.type === 'change') return `change:${point.change}:${point.callId}`
  return `${point.type}:${point.seq}`
}

/** Reads what `formatPoint` wrote. @throws ParleyError `config-invalid`. */
export function parsePoint(text: string): CrashPoint {
  const {
    kind,
    at,
    run = '',
  } = /^(?<kind>before|after|change|end):(?<at>[^@]+)(?:@(?<run>.+))?$/.exec(text)?.groups ?? {}
  const seq = Number(at)
  if ((kind === 'before' || kind === 'after') && Number.isInteger(seq) && seq > 0) return { type: kind, run, seq }
  if (kind === 'end' && at !== undefined) return { type: 'end', run, callId: at }
  const { change, callId } =
    /^(?<change>[1-9]\d*):(?<callId>.+)$/.exec(kind === 'change' ? (at ?? '') : '')?.groups ?? {}
  if (callId !== undefined) return { type: 'change', run, callId, change: Number(change) }
  const detail = `'${text}' must be before:ENTRY, after:ENTRY, change:NUMBER:CALL or end:CALL, as a report of the crash test prints it`
  throw new ParleyError({ code: 'config-invalid', path: 'crashTest.at', detail })
}
