import type { Entry } from '@parley/core'
import type { Run } from '@parley/engine'
import type { Client } from '../access/client.ts'
import { Problem } from '../problem/problem.ts'
import type { OnBusy, OnDisconnect, ServerProtocol } from '../state/protocol-rules.ts'
import type { BegunRun, RunAttempt } from '../state/run-attempt.ts'
import type { ServerContext } from '../state/server-context.ts'
import { priorEntries } from './prior-entries.ts'
import type { ProtocolRun } from './protocol-run.ts'
import { journalThenLive, watchRun } from './watch-run.ts'

/** A request that begins a run, and what its protocol says about it. */
export interface RequestTerms {
  readonly client: Client
  readonly attempt: RunAttempt
  readonly onDisconnect: OnDisconnect
  readonly onBusy: OnBusy
}

export interface RequestForm {
  readonly client: Client
  readonly attempt: RunAttempt
  readonly stream: boolean
  /** Whether the client does not wait for the end. @default false */
  readonly background?: boolean | undefined
}

/** Returns the terms of a request under the rules of its protocol. */
export function termsOf({ rules }: ServerContext, protocol: ServerProtocol, form: RequestForm): RequestTerms {
  const { client, attempt, stream, background = false } = form
  const onDisconnect = background ? 'continue' : rules.onDisconnect(protocol, stream)
  return { client, attempt, onDisconnect, onBusy: rules.onBusy(protocol) }
}

/** Key in the journal's metadata for the hash of the request that began the run. */
export const REQUEST_HASH = 'requestHash'

export interface Beginning<TResult> {
  /** Begins the run and calls `beginAttempt` when it has begun. */
  readonly begin: () => Promise<TResult>
  /** Answers with the run that an earlier attempt of the request began. */
  readonly repeat: (run: ProtocolRun) => TResult | Promise<TResult>
}

/**
 * Begins a run, unless the request repeats one that has begun.
 * @throws Problem 422 if another request has the same idempotency key, and what `begin` and `repeat` throw.
 */
export async function beginOnce<TResult>(
  server: ServerContext,
  terms: RequestTerms,
  { begin, repeat }: Beginning<TResult>,
): Promise<TResult> {
  const { attempt } = terms
  try {
    const earlier = await findEarlier(server, terms)
    if (earlier === undefined) return await begin()
    attempt.begin(earlier)
    stopOnLeave(server, terms, earlier.runId)
    return await repeat(earlier)
  } finally {
    attempt.settle()
  }
}

/** Tells that a request has begun a run, or continues one from entry `fromSeq`. */
export function beginAttempt(
  server: ServerContext,
  terms: RequestTerms,
  { run, fromSeq }: { readonly run: Run; readonly fromSeq: number },
): void {
  const { attempt } = terms
  attempt.begin({ runId: run.runId, fromSeq })
  void run.result.then(({ status }) => server.attempts.end(attempt, status))
  stopOnLeave(server, terms, run.runId)
}

/** The hash of the request that began a run, if a server began it. */
export function requestHashOf([first]: readonly Entry[]): string | undefined {
  const hash = first?.type === 'run.started' ? first.metadata?.[REQUEST_HASH] : undefined
  return typeof hash === 'string' ? hash : undefined
}

function stopOnLeave(server: ServerContext, { client, attempt, onDisconnect }: RequestTerms, runId: string): void {
  if (onDisconnect === 'continue') return
  attempt.onLeave(() => {
    server.attempts.forget(attempt)
    server.live.stop(client.scope, runId)
  })
}

async function findEarlier(server: ServerContext, terms: RequestTerms): Promise<ProtocolRun | undefined> {
  const { attempt, client } = terms
  const { attempts, store } = server
  // No other request with the key gets between the last `find` and `add`.
  for (let earlier = attempts.find(attempt); earlier !== undefined; earlier = attempts.find(attempt)) {
    if (earlier.hash !== attempt.hash) throw keyIsTaken()
    const begun = await earlier.begun
    const run = begun === undefined ? undefined : await findBegun(server, client, begun)
    if (run === undefined) attempts.forget(earlier)
    else return run
  }
  attempts.add(attempt)
  const { runId } = attempt
  if (runId === undefined || (await store.run(runId)) === undefined) return undefined
  if (requestHashOf(await store.read(runId, { limit: 1 })) !== attempt.hash) throw keyIsTaken()
  // From now on the store answers for the key.
  attempts.forget(attempt)
  return findBegun(server, client, { runId, fromSeq: 1 })
}

async function findBegun(
  server: ServerContext,
  { scope }: Client,
  { runId, fromSeq }: BegunRun,
): Promise<ProtocolRun | undefined> {
  const prior = fromSeq === 1 ? [] : priorEntries(await server.store.read(runId), fromSeq)
  const live = server.live.find(scope, runId)
  if (live !== undefined) {
    const watch = () => journalThenLive(server.store, live, fromSeq)
    return { run: live, runId, sessionId: live.sessionId, fromSeq, prior, watch }
  }
  const record = await server.store.run(runId)
  if (record?.scope !== scope) return undefined
  return { runId, sessionId: record.sessionId, fromSeq, prior, watch: () => watchRun(server, { record, fromSeq }) }
}

function keyIsTaken(): Problem {
  return new Problem(422, 'INVALID_PARAMETER', { message: 'Idempotency-Key: another request has this key.' })
}
