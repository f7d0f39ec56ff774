import { describePublicly, ParleyError, waitsFor, type RunRecord } from '@parley/core'
import type { Run } from '@parley/engine'
import { Problem } from '../problem/problem.ts'
import { sessionBusy } from '../state/live-runs.ts'
import type { ServerContext } from '../state/server-context.ts'
import type { RequestTerms } from './begin-once.ts'

/** Longest time in milliseconds that a run may take to stop after it was cancelled for the next message. */
const STOP_MS = 30_000

/**
 * Makes sure that a session has no unfinished run, as `terms.onBusy` says: waits for it, cancels it, or refuses the request.
 * Always waits for a run that is stopping because its client left.
 * @returns Whether the session has runs.
 * @throws Problem 409 if the session stays busy or its newest run waits for an approval, 499 if the client leaves.
 */
export async function freeSession(server: ServerContext, terms: RequestTerms, sessionId: string): Promise<boolean> {
  const { client, onBusy } = terms
  const { scope } = client
  for (;;) {
    checkPresent(terms)
    const live = server.live.inSession(scope, sessionId)
    const [newest] = live === undefined ? await server.store.runs({ scope, sessionId, limit: 1 }) : []
    if (live !== undefined) await freeOfLive(server, terms, live)
    else if (newest?.status === 'running' || (newest?.status === 'suspended' && onBusy === 'cancel'))
      await freeOfRecord(server, terms, newest)
    else if (newest?.status === 'suspended') throw await sessionWaits(server, newest)
    else return newest !== undefined
  }
}

async function freeOfLive(server: ServerContext, terms: RequestTerms, run: Run): Promise<void> {
  const { scope } = terms.client
  const isStopping = server.live.isStopping(run.runId)
  if (terms.onBusy === 'refuse' && !isStopping) throw sessionBusy()
  if (terms.onBusy === 'cancel') server.live.stop(scope, run.runId)
  const ended = (async () => void (await run.result))()
  await settled(server, terms, { ended, isBounded: terms.onBusy !== 'queue' || isStopping })
}

/** The run is suspended, or another process drives it. */
async function freeOfRecord(server: ServerContext, terms: RequestTerms, record: RunRecord): Promise<void> {
  const { runId, scope, seq: afterSeq } = record
  if (terms.onBusy === 'refuse') throw sessionBusy()
  if (terms.onBusy === 'cancel') {
    try {
      await server.runtime.cancel(runId, { scope })
    } catch (error) {
      if (!ParleyError.is(error, 'run-ended')) throw error
    }
  }
  const leave = new AbortController()
  const ended = (async () => {
    const entries = server.runtime.replay(runId, { scope, afterSeq, follow: true, signal: leave.signal })
    for await (const { type } of entries) if (type === 'run.ended' || type === 'run.suspended') return
  })()
  try {
    await settled(server, terms, { ended, isBounded: terms.onBusy === 'cancel' })
  } finally {
    leave.abort()
  }
}

interface Wait {
  readonly ended: Promise<void>
  /** Whether the run was told to stop, so that it must end soon. */
  readonly isBounded: boolean
}

async function settled({ clock }: ServerContext, terms: RequestTerms, { ended, isBounded }: Wait): Promise<void> {
  const given = Promise.withResolvers<void>()
  const callOff = isBounded ? clock.after(STOP_MS, () => given.reject(sessionBusy())) : () => {}
  terms.attempt.onLeave(() => given.resolve())
  try {
    await Promise.race([ended, given.promise])
  } finally {
    callOff()
  }
}

/** A client that left while its message waited gets no run. Only logs see the status, which nginx has introduced. */
function checkPresent({ attempt }: RequestTerms): void {
  if (attempt.left.aborted) throw new Problem(499 as 400, 'CANCELED', { message: 'The client disconnected.' })
}

/** Says what the session waits for, so that the client knows which request continues it. */
async function sessionWaits({ runtime }: ServerContext, record: RunRecord): Promise<Problem> {
  const { sessionId, runId, scope } = record
  const waits = waitsFor(await runtime.pending(runId, { scope }))
  const message = describePublicly({ code: 'session-busy', sessionId, runId, waitsFor: waits })
  return new Problem(409, 'SESSION_BUSY', { message })
}
