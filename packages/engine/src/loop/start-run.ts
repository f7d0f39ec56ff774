import {
  createId,
  ParleyError,
  userMessage,
  checkDuration,
  type Json,
  type RunFacts,
  type UserMessage,
} from '@parley/core'
import { callOf, pathBelow, prepareFor, type ParentCall } from '../run-context/parent-call.ts'
import type { Agent } from '../agent/agent.ts'
import { filterInput, type Filtered } from '../steps/input/filter-input.ts'
import { loadRotated } from '../run-context/load-rotated.ts'
import { loadSession, type RunBase } from '../run-context/load-run.ts'
import { openTools } from '../run-context/open-tools.ts'
import { checkedCapture } from '../run-context/request-capture.ts'
import { RunHandle } from './run-handle.ts'
import { RunScope } from '../run-context/run-scope.ts'
import { initialState } from '../journal/run-state.ts'
import type { Admission } from './admission.ts'
import type { RunOptions } from '../runtime/runtime.ts'
import type { RuntimeContext } from '../run-context/runtime-context.ts'
import { checkRunSettings } from '../agent/with-settings.ts'

export interface StartRequest {
  readonly agent: string | Agent
  /** Undefined where the base already ends with what is to be answered. */
  readonly input: string | UserMessage | undefined
  readonly options: RunOptions
  /** @default the end of its session */
  readonly base?: RunBase | undefined
  /** For a sub-agent: the call it works for, and the id that call has given it. */
  readonly child?: { readonly parent: ParentCall; readonly runId: string } | undefined
  /** The places it needs under quotas. @default none */
  readonly admission?: Admission | undefined
}

const ANEW: RunBase = { relation: 'initial', messages: [] }

/** A new run, driven from its first entry. */
export function startRun(context: RuntimeContext, request: StartRequest): RunHandle {
  const { agent, input, options, base, child, admission } = request
  const { agents, clock, store, worker } = context
  const prepared = prepareFor(options.caller, agents.get(agent))
  const { sessionId, scope = 'default', history, metadata, principal, host, caller } = options
  const { variables, instructions, settings, workspace, rotateAfterMs } = options
  prepared.instructions.checkVariables(variables ?? {})
  if (settings !== undefined) checkRunSettings(settings, prepared)
  checkWorkspace(workspace)
  checkRotation(options)
  const captures = checkedCapture(options.captureRequests)
  const now = clock.now()
  const runId = child?.runId ?? options.runId ?? createId(now)
  const parent = child?.parent
  const facts: RunFacts = {
    runId,
    sessionId: sessionId ?? createId(now),
    agent: prepared.agent.name,
    scope,
    path: pathBelow(parent, caller),
    ...(principal === undefined ? {} : { principal }),
    ...(workspace === undefined ? {} : { workspace }),
  }
  const target = store === undefined ? undefined : { store, worker, fence: 1 }
  const run = new RunScope({ facts, prepared, context, state: initialState(), target, settings, captures, parent })
  parent?.run.children?.set(runId, run)
  admission?.join(run)

  const under = callOf(parent, caller)

  function take({ message, entries }: Filtered): void | Promise<void> {
    for (const entry of entries) run.journal.record(entry)
    if (message === undefined) return undefined
    run.journal.record({ type: 'message.appended', source: 'input', message })
    return openTools(run)
  }

  function begin(from: RunBase): void | Promise<void> {
    const { relation, at, origin, session: { previous } = {} } = from
    if (from !== ANEW) run.goOnFrom(from)
    run.journal.record({
      type: 'run.started',
      agent: facts.agent,
      model: prepared.modelName,
      sessionId: facts.sessionId,
      scope,
      relation: under === undefined ? relation : 'sub-agent',
      ...(at === undefined ? {} : { base: at }),
      ...(origin === undefined ? {} : { origin }),
      ...(under === undefined ? {} : { parent: under }),
      ...(previous === undefined ? {} : { previousSession: previous }),
      ...(principal === undefined ? {} : { principal }),
      ...(variables === undefined ? {} : { variables: { ...variables } }),
      ...(workspace === undefined ? {} : { workspace }),
      ...(instructions === undefined ? {} : { instructions }),
      ...(settings === undefined ? {} : { settings: { ...settings } as Record<string, Json> }),
      ...(metadata === undefined ? {} : { metadata: { ...metadata } }),
      ...(history === undefined ? {} : { history: [...history] }),
    })
    if (input === undefined) return openTools(run)
    const filtered = filterInput(run, 'input', typeof input === 'string' ? userMessage(input) : input)
    return filtered instanceof Promise ? filtered.then(take) : take(filtered)
  }
  function open(): void | Promise<void> {
    if (base !== undefined) return begin(base)
    if (store === undefined || sessionId === undefined) return begin(ANEW)
    if (rotateAfterMs === undefined) return loadSession(store, { sessionId, scope }).then(begin)
    return loadRotated(store, { sessionId, scope, rotateAfterMs, now }).then(begin)
  }
  return new RunHandle(run, admission === undefined ? open : () => admission.open(run, open), host)
}

/** What a directory is only its tools can tell. */
function checkWorkspace(workspace: string | undefined): void {
  if (workspace === undefined || (workspace.trim() !== '' && !workspace.includes('\0'))) return
  throw new ParleyError({ code: 'config-invalid', path: 'workspace', detail: 'is no path of a directory' })
}

function checkRotation({ sessionId, rotateAfterMs }: RunOptions): void {
  checkDuration({ rotateAfterMs }, '')
  if (rotateAfterMs === undefined || sessionId !== undefined) return
  const detail = 'makes no sense without the sessionId that may be rotated'
  throw new ParleyError({ code: 'config-invalid', path: 'rotateAfterMs', detail })
}
