import {
  checkOptions,
  ParleyError,
  toErrorInfo,
  type Cost,
  type ErrorInfo,
  type Usage,
  type UserMessage,
  type OptionKinds,
} from '@parley/core'
import type { Agent } from '@parley/engine'
import { openSession } from './best-of-session.ts'
import { runBranch, spentBy, type BranchHost, type BranchResult, type StartBranch } from './branch.ts'
import { runBranches, type BranchResults } from './run-branches.ts'
import { checkSelection, SELECTIONS, type Candidate, type Selection, type SelectionName } from './selection.ts'

export interface BestOfOptions {
  /** The message to every candidate. */
  readonly input: string | UserMessage
  /** How one of the completed runs is chosen: a name, `createJudge(…)`, or your own function. */
  readonly strategy: SelectionName | Selection
  /** Maximum number of candidates that run at the same time. @default 4 */
  readonly concurrency?: number | undefined
  /**
   * Every candidate continues the conversation of this session, in a session of its own. The conversation with the
   * chosen candidate becomes the session's newest run, so that the next run continues from it; the other candidates leave
   * no trace in the session. Requires a runtime with a store. If the process dies before a candidate is chosen, the
   * session is as before the call. @default candidates start without a conversation
   */
  readonly sessionId?: string | undefined
  /** The scope of the session. @default 'default' */
  readonly scope?: string | undefined
  /** Aborting it stops all candidates and the judge. @default none */
  readonly signal?: AbortSignal | undefined
}

/** The chosen candidate, or the reason why none was chosen. */
export type BestOfResult = Choice & {
  /** Results of all candidates, in their order. */
  readonly results: readonly BranchResult[]
  /** Tokens that the candidates used, and tokens that the selection used. */
  readonly usage: { readonly candidates: Usage; readonly selection: Usage }
  readonly cost: { readonly candidates: Cost | undefined; readonly selection: Cost | undefined }
}

type Choice =
  | { readonly status: 'selected'; readonly index: number; readonly winner: Candidate['result'] }
  | { readonly status: 'failed'; readonly error: ErrorInfo }

const OPTIONS: OptionKinds<BestOfOptions> = {
  input: 'string or object!',
  strategy: 'string or function!',
  concurrency: 'number',
  sessionId: 'string',
  scope: 'string',
  signal: 'signal',
}

/**
 * Gives several agents the same input and chooses one of the completed runs, in a runtime or as child runs of a tool handler.
 * Only a completed run can be chosen.
 * @throws ParleyError `config-invalid` if an option is invalid; `session-busy` if the session's newest run is unfinished; in a
 * handler `run-suspended`, which the handler must not catch.
 */
export async function bestOf(
  host: BranchHost,
  agents: readonly (string | Agent)[],
  options: BestOfOptions,
): Promise<BestOfResult> {
  checkOptions('bestOf', options, OPTIONS)
  const { input, strategy, concurrency = 4, signal } = options
  checkSelection(strategy, agents.length)
  const inHost: StartBranch = (branch, stop) => runBranch(host, branch, stop)
  const session = await openSession(host, options)
  const decides = (result: BranchResult): boolean => strategy === 'first' && result.status === 'completed'
  const branches = agents.map(agent => ({ agent, input }))
  const branched = await runBranches(session?.start ?? inHost, branches, { concurrency, signal, decides })
  const asked: BranchResult[] = []
  const ask = async (agent: Agent, question: string): Promise<BranchResult> => {
    const answer = await runBranch(host, { agent, input: question }, signal ?? new AbortController().signal)
    asked.push(answer)
    return answer
  }
  const choice = await choose(branched, strategy, { input, ask })
  const joined =
    choice.status === 'selected' ? await session?.join(choice.winner.runId, agents[choice.index]) : undefined
  const { results } = branched
  const candidates = spentBy(results)
  const selection = spentBy(asked)
  return {
    ...(joined === undefined ? choice : { status: 'failed' as const, error: joined }),
    results,
    usage: { candidates: candidates.usage, selection: selection.usage },
    cost: { candidates: candidates.cost, selection: selection.cost },
  }
}

async function choose(
  { results, deciding }: BranchResults,
  strategy: SelectionName | Selection,
  context: Parameters<Selection>[1],
): Promise<Choice> {
  const name = typeof strategy === 'string' ? strategy : strategy.name || 'function'
  const fail = (detail: string): Choice => {
    return { status: 'failed', error: { code: 'selection-failed', strategy: name, detail } }
  }
  const completed = results.flatMap<Candidate>((result, index) =>
    result.status === 'completed' ? [{ index, result }] : [],
  )
  if (completed.length === 0) {
    const statuses = results.map((result, index) => `${index + 1} ${result.status}`).join(', ')
    return fail(`no candidate completed: ${statuses}.`)
  }
  try {
    const select = typeof strategy === 'string' ? SELECTIONS[strategy] : strategy
    const index = deciding ?? (await select(completed, context))
    const chosen = completed.find(candidate => candidate.index === index)
    if (chosen === undefined)
      return fail(`the selection returned ${index}, which must be the index of a completed candidate.`)
    return { status: 'selected', index, winner: chosen.result }
  } catch (error) {
    if (ParleyError.is(error, 'run-suspended')) throw error
    return { status: 'failed', error: toErrorInfo(error) }
  }
}
