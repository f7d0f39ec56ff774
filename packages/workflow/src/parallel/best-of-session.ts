import { createId, ParleyError, refuseOption, systemClock, toErrorInfo, type ErrorInfo } from '@parley/core'
import type { Agent, Runtime } from '@parley/engine'
import { settleBranch, toBranchResult, type BranchHost, type StartBranch } from './branch.ts'

/** The session that the candidates continue. */
export interface CandidateSession {
  /** Starts a candidate from the end of the session, in a session of its own. */
  readonly start: StartBranch
  /** Makes the conversation of a candidate the newest of the session. @returns Why that failed. */
  join(runId: string, agent: string | Agent | undefined): Promise<ErrorInfo | undefined>
}

interface SessionKey {
  readonly sessionId: string
  readonly scope: string
}

interface SessionOptions {
  readonly sessionId?: string | undefined
  readonly scope?: string | undefined
}

type SessionHost = Pick<Runtime, 'run' | 'fork' | 'runs'>

/** The input of a run that only joins the session: a message without content adds nothing, and the run ends without a model call. */
const NO_INPUT = { role: 'user' as const, content: [] }

/**
 * Opens the session for the candidates. `undefined` if none is given.
 * @throws ParleyError `config-invalid` if the host has no sessions; `session-busy` if its newest run is unfinished.
 */
export async function openSession(
  host: BranchHost,
  { sessionId, scope = 'default' }: SessionOptions,
): Promise<CandidateSession | undefined> {
  if (sessionId === undefined) return undefined
  if (!hasSessions(host))
    return refuseOption('sessionId', 'requires a runtime: the runs of a tool call join no session')
  const key = { sessionId, scope }
  const head = await newestRun(host, key)
  return {
    start: ({ agent, input, workspace }, signal) =>
      settleBranch(signal, async () => {
        const options = { sessionId: createId(systemClock.now()), scope, workspace, signal }
        const run =
          head === undefined ? host.run(agent, input, options) : await host.fork(head, { ...options, agent, input })
        return toBranchResult(await run.result)
      }),
    // The results of the candidates outlast a session that cannot be joined.
    join: (runId, agent) => joinSession(host, key, { head, runId, agent }).catch(toErrorInfo),
  }
}

interface Winner {
  /** The newest run of the session when the candidates began. */
  readonly head: string | undefined
  readonly runId: string
  readonly agent: string | Agent | undefined
}

async function joinSession(
  host: SessionHost,
  key: SessionKey,
  { head, runId, agent }: Winner,
): Promise<ErrorInfo | undefined> {
  // A store would at least know the candidates.
  const [known] = await host.runs({ scope: key.scope, limit: 1 })
  if (known === undefined)
    return { code: 'config-invalid', path: 'sessionId', detail: 'requires a runtime with a store' }
  const newest = await newestRun(host, key)
  // The candidates do not know what was said in the session while they ran.
  if (newest !== head) return { code: 'session-busy', sessionId: key.sessionId, runId: newest ?? runId }
  const run = await host.fork(runId, { ...key, agent, input: NO_INPUT })
  const result = await run.result
  if (result.status === 'failed' || result.status === 'interrupted') return result.error
  return undefined
}

function hasSessions(host: BranchHost): host is SessionHost {
  return 'fork' in host && 'runs' in host
}

/** Returns the id of the session's newest run. @throws ParleyError `session-busy` if that run is unfinished. */
async function newestRun(host: SessionHost, { sessionId, scope }: SessionKey): Promise<string | undefined> {
  const [newest] = await host.runs({ scope, sessionId, limit: 1 })
  if (newest?.status === 'running' || newest?.status === 'suspended')
    throw new ParleyError({ code: 'session-busy', sessionId, runId: newest.runId })
  return newest?.runId
}
