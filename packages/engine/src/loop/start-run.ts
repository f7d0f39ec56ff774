import {
  checkDuration,
  checkIdentifiers,
  createId,
  ParleyError,
  storageFault,
  userMessage,
  type Json,
  type RunWith,
  type UserMessage,
} from '@parley/core'
import type { Agent } from '../agent/agent.ts'
import { checkRunSettings, type PreparedAgent } from '../agent/prepare-agent.ts'
import { keepLimits } from '../agent/kept-limits.ts'
import { checkRunLimits, withLimits } from '../agent/run-limits.ts'
import { checkClientTools, type ClientTools } from '../agent/tools/client-tools.ts'
import { initialState } from '../journal/run-state.ts'
import { DrivenRun } from '../run-context/driven-run.ts'
import { keepContext } from './keep-context.ts'
import type { RunBase } from '../run-context/stored/load-run.ts'
import { loadRotated } from '../run-context/session/load-rotated.ts'
import { loadSession } from '../run-context/session/load-session.ts'
import { parentOf, pathBelow, withinParent, type ParentCall } from '../run-context/children/parent-call.ts'
import { checkedCapture } from '../run-context/request-capture.ts'
import { openAgent } from '../run-context/open-agent.ts'
import type { RuntimePorts } from '../run-context/runtime-ports.ts'
import { filterInput } from '../steps/input/filter-input.ts'
import type { Admission } from './admission.ts'
import { RunHandle } from './run-handle.ts'
import type { RunOptions } from './run-options.ts'
import { RUN_PORTS } from './run-ports.ts'

export interface StartRequest {
  readonly agent: string | Agent
  /** `undefined` if the base already ends with the message to answer. */
  readonly input: string | UserMessage | undefined
  readonly options: RunOptions
  /** Where the run begins. @default the end of its session */
  readonly base?: RunBase | undefined
  /** For a child run: its parent call, and the id that the call has given it. */
  readonly child?: { readonly parent: ParentCall; readonly runId: string } | undefined
  /** The places that the run needs under quotas. @default none */
  readonly admission?: Admission | undefined
}

const EMPTY_BASE: RunBase = { relation: 'initial', messages: [] }

/** Starts a run, driven from its first entry. */
export function startRun(runtime: RuntimePorts, request: StartRequest): RunHandle {
  const { options, child, admission } = request
  const known = runtime.agents.get(request.agent, options.model)
  checkOptions(known, options)
  const agent = withinParent(options.parent, withLimits(known, options.limits))
  checkIdentifiers(options)
  if (runtime.store !== undefined) checkStorable(request)
  const run = openRun(runtime, agent, request)
  if (child !== undefined) child.parent.run.delegations.add(run.facts.runId, run)
  admission?.join(run)
  const begin = (): void | Promise<void> => beginRun(run, request)
  return new RunHandle(run, admission === undefined ? begin : () => admission.open(run, begin), options.host)
}

function openRun(runtime: RuntimePorts, agent: PreparedAgent, { options, child }: StartRequest): DrivenRun {
  const { clock, store, worker } = runtime
  const { principal, workspace, scope = 'default', settings, captureRequests, parent: ref } = options
  const now = clock.now()
  const parent = child?.parent
  // That of a parent run is kept already.
  const context = parent === undefined ? keepContext(options.context) : options.context
  const facts: RunWith<unknown> = {
    runId: child?.runId ?? options.runId ?? createId(now),
    sessionId: options.sessionId ?? createId(now),
    agent: agent.definition.name,
    scope,
    path: pathBelow(parent, ref),
    ...(principal === undefined ? {} : { principal }),
    ...(workspace === undefined ? {} : { workspace }),
    context,
  }
  const target = store === undefined ? undefined : { store, worker, fence: 1 }
  const captures = checkedCapture(captureRequests)
  const state = initialState()
  const given = { settings, clientTools: clientToolsOf(options), captures }
  return new DrivenRun({ facts, agent, runtime, ports: RUN_PORTS, state, target, ...given, parent })
}

/** Records how the run begins. Synchronous if nothing has to be loaded: promises slow down short runs (bench: tricks start-sync). */
function beginRun(run: DrivenRun, request: StartRequest): void | Promise<void> {
  const { base, options } = request
  const { store } = run.runtime
  const { sessionId, scope = 'default', rotateAfterMs } = options
  const begin = (from: RunBase): void | Promise<void> => recordStart(run, request, from)
  if (base !== undefined) return begin(base)
  if (store === undefined || sessionId === undefined) return begin(EMPTY_BASE)
  if (rotateAfterMs === undefined) return loadSession(store, { sessionId, scope }).then(begin)
  return loadRotated(store, { sessionId, scope, rotateAfterMs, now: run.clock.now() }).then(begin)
}

function recordStart(run: DrivenRun, request: StartRequest, from: RunBase): void | Promise<void> {
  const { facts, journal } = run
  const { session } = from
  const { history } = request.options
  if (session !== undefined) facts.sessionId = session.id
  journal.rebase(initialState(from.messages, from.context), from.sessionHead)
  journal.record({
    type: 'run.started',
    agent: facts.agent,
    model: run.agent.modelName,
    snapshot: run.agent.snapshot(),
    sessionId: facts.sessionId,
    scope: facts.scope,
    ...originOf(request, from),
    ...givenOf(request.options),
    ...(facts.context === undefined ? {} : { context: facts.context as Json }),
    // A session that has runs remembers its messages, and a client sends them all with each request.
    ...(from.relation === 'continue' || history === undefined ? {} : { history: [...history] }),
  })
  const { input } = request
  if (input === undefined || isEmpty(input)) return openAgent(run)
  const filtering = filterInput(run, 'input', typeof input === 'string' ? userMessage(input) : input)
  return filtering instanceof Promise ? filtering.then(takeInput) : takeInput(filtering)

  function takeInput({ message, entries }: Awaited<ReturnType<typeof filterInput>>): void | Promise<void> {
    for (const entry of entries) journal.record(entry)
    if (message === undefined) return undefined
    journal.record({ type: 'message.appended', source: 'input', message })
    return openAgent(run)
  }
}

/** Returns the fields of the first entry that name the runs from which this run starts. */
function originOf({ child, options }: StartRequest, { relation, at, origin, session }: RunBase) {
  const parent = parentOf(child?.parent, options.parent)
  const previous = session?.previous
  return {
    relation: parent === undefined ? relation : ('sub-agent' as const),
    ...(at === undefined ? {} : { base: at }),
    ...(origin === undefined ? {} : { origin }),
    ...(parent === undefined ? {} : { parent }),
    ...(previous === undefined ? {} : { previousSession: previous }),
  }
}

function clientToolsOf({
  clientTools: tools,
  acceptClientTools: accepted = false,
}: RunOptions): ClientTools | undefined {
  return tools === undefined ? undefined : { tools, accepted }
}

/** Returns the options of a run that its first entry keeps. */
function givenOf({
  principal,
  variables,
  workspace,
  instructions,
  model,
  settings,
  limits,
  clientTools,
  acceptClientTools,
  metadata,
}: RunOptions) {
  return {
    ...(principal === undefined ? {} : { principal }),
    ...(variables === undefined ? {} : { variables: { ...variables } }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(model === undefined ? {} : { chosenModel: model }),
    ...(settings === undefined ? {} : { settings: { ...settings } as Record<string, Json> }),
    ...(limits === undefined ? {} : { limits: keepLimits(limits) }),
    ...(clientTools === undefined ? {} : { clientTools: [...clientTools] }),
    ...(acceptClientTools === true ? { acceptClientTools } : {}),
    ...(metadata === undefined ? {} : { metadata: { ...metadata } }),
  }
}

/**
 * Checks that a store can keep the input and the options of a run.
 * @throws ParleyError `request-invalid` if a store could not keep what the run is given.
 */
function checkStorable({ input, options }: StartRequest): void {
  for (const [path, value] of Object.entries({ input, history: options.history, ...givenOf(options) })) {
    const detail = storageFault(value)
    if (detail !== undefined) throw new ParleyError({ code: 'request-invalid', path, detail })
  }
}

/** Whether the input adds no message: the run then answers its history, or ends at once if there is nothing to answer. */
function isEmpty(input: string | UserMessage): boolean {
  return typeof input !== 'string' && input.content.length === 0
}

function checkOptions(agent: PreparedAgent, options: RunOptions): void {
  const { variables = {}, settings, limits, workspace, sessionId, rotateAfterMs } = options
  agent.instructions.checkVariables(variables)
  if (settings !== undefined) checkRunSettings(settings, agent)
  if (limits !== undefined) checkRunLimits(limits, agent)
  checkClientTools(clientToolsOf(options) ?? { tools: [], accepted: false }, agent)
  // Only the tools know which directories they accept.
  if (workspace !== undefined && (workspace.trim() === '' || workspace.includes('\0')))
    throw new ParleyError({ code: 'config-invalid', path: 'workspace', detail: 'must be the path of a directory' })
  checkDuration({ rotateAfterMs }, '')
  if (rotateAfterMs === undefined || sessionId !== undefined) return
  const detail = 'requires sessionId: it says when that session is replaced'
  throw new ParleyError({ code: 'config-invalid', path: 'rotateAfterMs', detail })
}
