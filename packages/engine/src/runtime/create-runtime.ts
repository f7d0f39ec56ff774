import { createId, ParleyError, type RunFacts } from '@parley/core'
import { ActiveRuns } from './active-runs.ts'
import { createAgentRegistry } from './agent-registry.ts'
import { checkHealth } from './check-health.ts'
import { checkDuration } from './check-number.ts'
import { checkRuntimeOptions } from './check-runtime-options.ts'
import { closeRuntime, type CloseOptions, type CloseReport } from './close-runtime.ts'
import { createJournalReader } from './journal-reader.ts'
import { createLease } from './lease.ts'
import { createModelDirectory } from './model-directory.ts'
import { planFork, planRerun, type BranchSource } from '../run/plan-branch.ts'
import { QuotaHolder } from '../quota/quota-holder.ts'
import { resumeRun, type ResumeRequest } from '../run/resume-run.ts'
import type { Run } from '../run/run.ts'
import type { PruneOptions, ResumeOptions, Runtime, RuntimeOptions } from './runtime.ts'
import type { RuntimeContext } from './runtime-context.ts'
import { RuntimeSink } from './runtime-sink.ts'
import { startRun, type StartRequest } from '../run/start-run.ts'
import { systemClock } from './system-clock.ts'
import { createToolDirectory, type ToolDirectory } from './tool-directory.ts'

/** @throws ParleyError `config-invalid` naming the option that makes no sense, and what `agents.register` throws. */
export function createRuntime(options: RuntimeOptions = {}): Runtime {
  checkRuntimeOptions(options)
  const { store, bus, resources = [], onClose = 'cancel', leaseMs = 15_000 } = options
  const sink = new RuntimeSink(bus)
  const { context, tools } = createContext(options, sink)
  const { agents, clock, worker } = context
  const active = new ActiveRuns(
    context,
    store === undefined ? undefined : createLease({ store, worker, clock, leaseMs }),
  )
  const journals = createJournalReader(store)
  let closing: Promise<CloseReport> | undefined

  function checkOpen(): void {
    if (closing !== undefined) throw new ParleyError({ code: 'runtime-closed' })
  }

  function start(request: StartRequest): Run {
    checkOpen()
    const admission = active.admit(agents.get(request.agent))
    return active.track(startRun(context, { ...request, admission }), { signal: request.options.signal, admission })
  }

  async function resume(
    runId: string,
    { force = false, scope = 'default', signal }: ResumeOptions,
    decided?: ResumeRequest['decided'],
  ): Promise<Run> {
    checkOpen()
    if (active.has(runId)) throw new ParleyError({ code: 'run-busy', runId, worker })
    const admit: ResumeRequest['admit'] = agent => active.admit(agent)
    const { run, admission } = await resumeRun(context, { runId, force, scope, decided, admit })
    active.track(run, { signal, admission })
    if (closing === undefined) return run
    await run.letGo()
    throw new ParleyError({ code: 'runtime-closed' })
  }

  async function branch(
    runId: string,
    scope: string | undefined,
    plan: (source: BranchSource) => Promise<StartRequest>,
  ): Promise<Run> {
    checkOpen()
    return start(await plan(await journals.record(runId, scope)))
  }

  function close(closeOptions: CloseOptions = {}): Promise<CloseReport> {
    checkDuration({ ...closeOptions }, 'close')
    const onStopped = (): void => active.close()
    closing ??= closeRuntime({ runs: active.runs, clock, onClose, bus, resources, onStopped }, closeOptions)
    return closing
  }

  return {
    agents: agents.directory,
    tools,
    run: (agent, input, runOptions = {}) => start({ agent, input, options: runOptions }),
    invoke: async (agent, input, runOptions = {}) => start({ agent, input, options: runOptions }).result,
    resume: (runId, resumeOptions = {}) => resume(runId, resumeOptions),
    decide: (runId, approvalId, { decision, by, ...rest }) => resume(runId, rest, { approvalId, decision, by }),
    fork: (runId, given = {}) => branch(runId, given.scope, source => planFork(source, given)),
    rerun: (runId, given = {}) => branch(runId, given.scope, source => planRerun(source, given)),
    replay: (runId, { scope } = {}) => journals.replay(runId, scope),
    transcript: (runId, { scope } = {}) => journals.transcript(runId, scope),
    session: (sessionId, { scope } = {}) => journals.session(sessionId, scope),
    runs: async (query = {}) => (store === undefined ? [] : store.runs({ scope: 'default', ...query })),
    prune: pruneOptions => prune(context, pruneOptions),
    health: async () => ({
      alive: closing === undefined,
      activeRuns: active.runs.length - active.queued,
      queuedRuns: active.queued,
      ...(sink.lastModelCall === undefined ? {} : { lastModelCall: sink.lastModelCall }),
      ...(await checkHealth({ store, bus, clock })),
    }),
    close,
    [Symbol.asyncDispose]: () => close().then(() => {}),
  }
}

interface RuntimeParts {
  readonly context: RuntimeContext
  readonly tools: ToolDirectory
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
  })
  const { worker = createId(clock.now()), isWorkerGone = () => false } = options
  const context = { agents: registry, store, clock, worker, isWorkerGone, sinkFor: (run: RunFacts) => sink.for(run) }
  return { context, tools }
}

async function prune(
  { store, clock }: RuntimeContext,
  { olderThanMs, scope = 'default' }: PruneOptions,
): Promise<number> {
  checkDuration({ olderThanMs }, 'prune')
  if (store === undefined) return 0
  if (store.prune === undefined) {
    const detail = `'${store.name}' cannot remove runs`
    throw new ParleyError({ code: 'config-invalid', path: 'store', detail })
  }
  return store.prune({ scope, before: clock.now() - olderThanMs })
}
