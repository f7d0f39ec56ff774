import {
  createId,
  createMemoryQuotas,
  ParleyError,
  checkDuration,
  refuseOption,
  systemClock,
  TurnoverMap,
  type EventSink,
  type RunFacts,
  type UserMessage,
} from '@parley/core'
import { checkMessage } from '../steps/input/check-message.ts'
import { createChildRuns } from './create-child-runs.ts'
import { rootRun } from './root-run.ts'
import { ActiveRuns } from './active-runs.ts'
import type { Agent } from '../agent/agent.ts'
import { createAgentRegistry } from '../agent/agent-registry.ts'
import { checked } from './call-options.ts'
import { checkHealth, type Health } from './health.ts'
import { checkOnClose, checkRuntimeOptions } from './check-runtime-options.ts'
import { closeRuntime, type CloseOptions, type CloseReport } from './close-runtime.ts'
import { createJournalReader, type JournalReader } from './journals/journal-reader.ts'
import { publishResourceEvents } from './publish-resource-events.ts'
import { planCompaction } from '../loop/plan-compaction.ts'
import { createLease } from './lease.ts'
import { createModelDirectory } from '../agent/model-directory.ts'
import { planFork, planRerun } from '../loop/plan-branch.ts'
import { QuotaHolder } from '../agent/quota/quota-holder.ts'
import type { ResumeRequest } from '../loop/resume-run.ts'
import type { Run } from '../run-context/run-result.ts'
import type { RunHandle } from '../loop/run-handle.ts'
import { createResumer } from './create-resumer.ts'
import { RunCommands, type IdleRequest } from './commands/run-commands.ts'
import { keepPruning, pruneRuns } from './prune-runs.ts'
import type { PreparedAgent } from '../agent/prepare-agent.ts'
import type { RunOptions } from '../loop/run-options.ts'
import type { Runtime } from './runtime.ts'
import type { DecideOptions, RuntimeOptions } from './runtime-options.ts'
import { AnswerRoom } from '../run-context/model-stream/answer-room.ts'
import type { RuntimePorts } from '../run-context/runtime-ports.ts'
import { printUnreadFailure } from './report-unread.ts'
import { RuntimeSink } from './runtime-sink.ts'
import { startRun, type StartRequest } from '../loop/start-run.ts'
import { toSubmission } from './commands/to-submission.ts'
import { createToolDirectory, type ToolDirectory } from '../agent/tools/tool-directory.ts'

/**
 * Creates a runtime. Runs that name one of its `agents` have the types of that agent.
 * @throws ParleyError `config-invalid` with the path of the option that is invalid, and what `agents.register` throws.
 */
export function createRuntime<TAgent extends Agent = Agent>(options: RuntimeOptions<TAgent> = {}): Runtime<TAgent> {
  checkRuntimeOptions(options)
  const { store, bus, resources = [], onClose = 'cancel', leaseMs = 15_000, autoResume = [] } = options
  const sink = new RuntimeSink(bus)
  const { context, tools, working } = createContext(options, sink)
  const { agents, clock, worker } = context
  const lease = store === undefined ? undefined : createLease({ store, worker, clock, leaseMs })
  const active = new ActiveRuns(context, lease, working)
  const journals = createJournalReader(store, { clock, live: runId => active.find(runId) })
  if (bus !== undefined) publishResourceEvents(resources, { bus, worker, clock })
  let closing: Promise<CloseReport> | undefined

  function checkOpen(): void {
    if (closing !== undefined) throw new ParleyError({ code: 'runtime-closed' })
  }

  function start(request: StartRequest): Run {
    checkOpen()
    const { signal, host, parent } = request.options
    // A child run uses the place of its parent run.
    const admission = parent === undefined ? active.admit(agents.get(request.agent)) : undefined
    return active.track(startRun(context, { ...request, admission }), { signal, admission, host })
  }

  async function resume(request: IdleRequest, signal: AbortSignal | undefined): Promise<Run> {
    checkOpen()
    const run = await active.resume(await resumeRequest({ context, active }, request), signal)
    if (closing === undefined) return run
    await run.release()
    throw new ParleyError({ code: 'runtime-closed' })
  }

  const commands = new RunCommands({ store, clock, journals, find: runId => active.find(runId), resume })
  const resumeIn = (runId: string, scope: string): Promise<Run> => resume({ runId, scope }, undefined)
  const resumer = createResumer({ ...context, active, resume: resumeIn }, { scopes: autoResume, everyMs: leaseMs })
  const stopPruning = keepPruning(context, options.retention)

  async function begin(plan: () => Promise<StartRequest>): Promise<Run> {
    checkOpen()
    return start(await plan())
  }

  function close(closeOptions: CloseOptions = {}): Promise<CloseReport> {
    const { onClose: how = onClose, ...durations } = checked('close', closeOptions)
    checkDuration(durations, 'close')
    checkOnClose(how, store, 'close.onClose')
    resumer.stop()
    stopPruning()
    active.stopWatching()
    const onStopped = (): void => active.close()
    closing ??= closeRuntime({ worker, runs: active.runs, clock, onClose: how, bus, resources, onStopped }, durations)
    return closing
  }

  const run = (agent: string | Agent, input: string | UserMessage, given: RunOptions = {}): Run =>
    start({ agent, input: checkedInput(input), options: checked('run', given) })

  return {
    agents: agents.directory,
    tools,
    store,
    bus,
    // The schemas of the agent and of its tools guarantee the types.
    run: run as Runtime['run'],
    invoke: (async (...given: Parameters<typeof run>) => run(...given).orThrow()) as Runtime['invoke'],
    async resume(runId, given = {}) {
      const { signal, ...rest } = checked('resume', given)
      return resume({ runId, ...rest }, signal)
    },
    resumeAll: resumer.resumeAll,
    ...controlsOf(commands, journals),
    ...branchingOf(journals, context, begin),
    ...readingOf(journals),
    runs: async (query = {}) => (store === undefined ? [] : store.runs({ scope: 'default', ...query })),
    prune: async pruneOptions => pruneRuns(context, checked('prune', pruneOptions)),
    health: () => reportHealth({ context, bus, active, sink, alive: closing === undefined }),
    close,
    [Symbol.asyncDispose]: () => close().then(() => {}),
  }
}

function checkedInput(input: string | UserMessage): string | UserMessage {
  checkMessage('input', input)
  return input
}

/** The calls that start a run from an earlier one. */
function branchingOf(
  journals: JournalReader,
  context: RuntimePorts,
  begin: (plan: () => Promise<StartRequest>) => Promise<Run>,
): Pick<Runtime, 'fork' | 'rerun' | 'compact'> {
  return {
    fork: (runId, given = {}) =>
      begin(async () => planFork(await journals.record(runId, checked('fork', given).scope), given)),
    rerun: (runId, given = {}) =>
      begin(async () => planRerun(await journals.record(runId, checked('rerun', given).scope), given)),
    compact: (sessionId, given = {}) =>
      begin(async () => planCompaction(context, sessionId, checked('compact', given))),
  }
}

/** The calls that read the store and change nothing. */
function readingOf(
  journals: JournalReader,
): Pick<Runtime, 'replay' | 'transcript' | 'pending' | 'approvals' | 'session'> {
  return {
    replay: (runId, replayOptions = {}) => journals.replay(runId, checked('replay', replayOptions)),
    transcript: async (runId, given = {}) => journals.transcript(runId, checked('transcript', given).scope),
    pending: async (runId, given = {}) => journals.pending(runId, checked('pending', given).scope),
    approvals: async (query = {}) => journals.approvals(checked('approvals', query)),
    session: async (sessionId, given = {}) => journals.session(sessionId, checked('session', given).scope),
  }
}

type DecideArguments =
  | readonly [runId: string, approvalId: string, options: DecideOptions]
  | readonly [approvalId: string, options: DecideOptions]

/** Shows how to wrap a decision that a caller without types passes alone. */
function checkWrapped(options: { readonly decision?: unknown; readonly type?: unknown }): void {
  const { decision, type } = options ?? {}
  if (decision === undefined && typeof type === 'string')
    refuseOption('decide', `is a decision alone; wrap it: { decision: { type: '${type}' } }`)
}

/** The calls that act on an unfinished run by its id. */
function controlsOf(
  commands: RunCommands,
  journals: JournalReader,
): Pick<Runtime, 'decide' | 'submitToolResult' | 'steer' | 'followUp' | 'cancel'> {
  async function decide(...given: DecideArguments): Promise<Run> {
    const last = given.length === 3 ? given[2] : given[1]
    checkWrapped(last)
    const options = checked('decide', last)
    const [runId, approvalId] = given.length === 3 ? given : [await journals.runOf(given[0], options.scope), given[0]]
    return commands.decide({ runId, approvalId, by: undefined, ...options })
  }
  return {
    decide,
    // oxlint-disable-next-line max-params -- the options of a call come last, after what identifies it
    submitToolResult: async (runId, callId, result, given = {}) =>
      commands.submit({ runId, callId, submission: toSubmission(result), ...checked('submitToolResult', given) }),
    steer: async (runId, message, given = {}) =>
      commands.send({ runId, kind: 'steering', message, ...checked('steer', given) }),
    followUp: async (runId, message, given = {}) =>
      commands.send({ runId, kind: 'follow-up', message, ...checked('followUp', given) }),
    cancel: async (runId, given = {}) => commands.cancel({ runId, ...checked('cancel', given) }),
  }
}

interface DrivenRuns {
  readonly context: RuntimePorts
  readonly active: ActiveRuns
}

/** Returns the request to resume a run. For a child run, its root run is resumed. */
async function resumeRequest({ context, active }: DrivenRuns, request: IdleRequest): Promise<ResumeRequest> {
  const { runId: asked, force = false, scope = 'default', decided, cancel, host, parent } = request
  const runId = parent === undefined ? await rootRun(context.store, asked) : asked
  const admit = parent === undefined ? (agent: PreparedAgent) => active.admit(agent) : undefined
  return { runId, force, scope, decided, cancel, host, parent, admit }
}

interface HealthParts {
  readonly context: RuntimePorts
  readonly bus: EventSink | undefined
  readonly active: ActiveRuns
  readonly sink: RuntimeSink
  readonly alive: boolean
}

async function reportHealth({ context, bus, active, sink, alive }: HealthParts): Promise<Health> {
  const { store, clock } = context
  return {
    alive,
    activeRuns: active.runs.length - active.queued,
    queuedRuns: active.queued,
    ...(sink.lastModelCall === undefined ? {} : { lastModelCall: sink.lastModelCall }),
    ...(await checkHealth({ store, bus, clock })),
  }
}

interface RuntimeParts {
  readonly context: RuntimePorts
  readonly tools: ToolDirectory
  /** Child runs, which their parent runs drive and end. */
  readonly working: TurnoverMap<string, RunHandle>
}

function createContext(options: RuntimeOptions, sink: RuntimeSink): RuntimeParts {
  const { agents = [], models = {}, providers = [], defaults = {}, quota, store, clock = systemClock } = options
  const tools = createToolDirectory(options.tools ?? [], {
    userOf: name => registry.directory.list().find(agent => agent.tools?.includes(name))?.name,
    onReplace: () => registry.prepareAgain(),
  })
  const registry = createAgentRegistry(agents, {
    models: createModelDirectory(models, providers),
    tool: name => tools.get(name),
    defaults,
    quota: quota === undefined ? undefined : new QuotaHolder(quota, 'runtime'),
    uncounted: store?.quotas === undefined ? store?.name : undefined,
  })
  const { worker = createId(clock.now()), isWorkerGone = () => false, captureRequests = 'none' } = options
  const { onUnreadFailure = printUnreadFailure } = options
  const working = new TurnoverMap<string, RunHandle>()
  const children = createChildRuns(() => context, working)
  const sinkFor = (run: RunFacts) => sink.for(run)
  const context: RuntimePorts = {
    agents: registry,
    store,
    processQuotas: store === undefined ? createMemoryQuotas() : undefined,
    clock,
    worker,
    children,
    captureRequests,
    answerRoom: new AnswerRoom(),
    isWorkerGone,
    onUnreadFailure,
    sinkFor,
  }
  return { context, tools, working }
}
