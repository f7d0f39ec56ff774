import { ParleyError, type EntryOf, type Entry, type Limits, type Model, type UserMessage } from '@parley/core'
import { createRuntime, type Agent, type RunOptions } from '@parley/engine'
import { createRecordedResults } from '../history/create-recorded-results.ts'
import type { HistoryRun } from '../history/load-run-history.ts'
import { createRecordedApprovals } from '../history/recorded-approvals.ts'
import { describeDifferences } from '../recordings/comparing/describe-differences.ts'
import { diffJson } from '../recordings/comparing/diff-json.ts'
import { replayModel } from '../recordings/replay-model.ts'
import { decisionsOf } from './decisions-of.ts'
import type { RunRecording } from './load-run-recording.ts'
import { createAgentReplacer, enforceable } from './replayed-agents.ts'

/** What a replay found. */
export interface ReplayReport {
  /** `same`: each request and each decision equals the recorded one. `request`: a request differs. `decision`: a decision differs. */
  readonly result: 'same' | 'request' | 'decision'
  /** The first difference of each run that differs, as text. Empty for `same`. */
  readonly differences: string
  /** Agents of child runs that were not compared, because the given agents do not include them. */
  readonly missing: readonly string[]
}

/**
 * Repeats a recorded run and its child runs with other code. Models and tools answer from the recording: no model is asked, and no tool is
 * executed. The first request that differs ends its run, because the recording has no answer to it.
 * @param agents The agents to run, among them that of the run.
 * @throws ParleyError `agent-unknown` if the agent of the run is not among them.
 */
export async function replayRun(recording: RunRecording, agents: readonly Agent[]): Promise<ReplayReport> {
  const { history, cassette, base } = recording
  const [root] = history.runs
  const known = reachable(agents)
  if (root === undefined || !known.has(root.agent))
    throw new ParleyError({ code: 'agent-unknown', agent: root?.agent ?? '', known: [...known.keys()] })
  const missing = new Set<string>()
  const differing: (RunDifference & { readonly run: HistoryRun })[] = []
  const models = replayModels(recording)
  for (const run of history.runs) {
    if (!known.has(run.agent)) {
      missing.add(run.agent)
      continue
    }
    models.misses.length = 0
    const entries = await repeat(run, {
      agents: [...known.values()],
      models,
      base: run === root ? base : [],
      cassette,
      history,
    })
    const difference = compare(run.entries, entries, models.misses[0])
    if (difference !== undefined) differing.push({ run, ...difference })
  }
  const [first] = differing
  return {
    result: first?.result ?? 'same',
    differences: differing.map(({ run, text }) => `Run of ${run.agent}: ${text}`).join('\n'),
    missing: [...missing],
  }
}

interface RunDifference {
  readonly result: 'request' | 'decision'
  readonly text: string
}

/** Compares two journals. `miss` explains the first request to which the recording has no answer. */
function compare(
  before: readonly Entry[],
  after: readonly Entry[],
  miss: string | undefined,
): RunDifference | undefined {
  const recorded = decisionsOf(before)
  const replayed = decisionsOf(after)
  // After the request that differs, the repeated run has failed.
  const made = miss === undefined ? replayed : replayed.filter(decision => !('ended' in decision))
  const differences = diffJson(miss === undefined ? recorded : recorded.slice(0, made.length), made, 'decisions')
  const text = describeDifferences(differences)
  if (text !== '') return { result: 'decision', text: `\n${text}` }
  return miss === undefined ? undefined : { result: 'request', text: miss }
}

interface ReplayModels {
  /** Returns the model that answers for the recorded one of this name. */
  of(name: string): Model | undefined
  readonly misses: string[]
}

function replayModels({ cassette }: RunRecording): ReplayModels {
  const misses: string[] = []
  const models = new Map<string, Model>()
  for (const { provider, id } of cassette.models) {
    const name = `${provider}/${id}`
    models.set(name, replayModel(cassette, { model: name, onMiss: explanation => misses.push(explanation) }))
  }
  return { of: name => models.get(name), misses }
}

interface Repetition extends RunRecording {
  readonly agents: readonly Agent[]
  readonly models: ReplayModels
}

/** Runs one run of the tree again, and returns its entries. */
async function repeat(run: HistoryRun, { agents, models, base, history }: Repetition): Promise<readonly Entry[]> {
  const [started] = run.entries
  if (started?.type !== 'run.started') return []
  const own = { runId: run.runId, runs: [run] }
  const replace = createAgentReplacer({
    history: own,
    results: createRecordedResults(own),
    onApproval: createRecordedApprovals(history),
    modelFor: (name, model) => modelOf(models, recordedModel(run, name), model),
  })
  const replaced = agents.map(replace)
  const root = replaced.find(({ name }) => name === run.agent)?.model
  await using runtime = createRuntime({ agents: replaced, onUnreadFailure: () => {} })
  const running = runtime.run(run.agent, inputOf(run), {
    ...optionsOf(started, root),
    history: [...base, ...(started.history ?? [])],
  })
  const follow = run.entries.flatMap(entry =>
    entry.type === 'message.appended' && entry.source === 'follow-up' && entry.message.role === 'user'
      ? [entry.message]
      : [],
  )
  for (const message of follow) await running.followUp(message)
  const entries: Entry[] = []
  for await (const event of running) if (event.path.length === 0 && 'seq' in event && 'v' in event) entries.push(event)
  return entries
}

/** An agent that names another model than the recorded run is given it, so that the difference shows. */
function modelOf(models: ReplayModels, recorded: string, model: Agent['model']): Model {
  const name = typeof model === 'object' ? `${model.provider}/${model.id}` : recorded
  const found = models.of(name) ?? models.of(recorded)
  const slash = name.indexOf('/')
  const info = typeof model === 'object' ? model.info : {}
  const named = { provider: name.slice(0, slash), id: name.slice(slash + 1), info }
  return {
    ...named,
    stream(request, options) {
      if (found !== undefined) return found.stream(request, options)
      throw new ParleyError({
        code: 'model-invalid-request',
        provider: named.provider,
        model: named.id,
        detail: 'The recorded run did not call this model.',
      })
    },
  }
}

/** The model that an agent had in the recorded run, as `provider/id`. */
function recordedModel({ agent, entries }: HistoryRun, name: string): string {
  const changed = entries.find(entry => entry.type === 'agent.changed' && entry.to === name)
  if (changed?.type === 'agent.changed') return changed.model
  const [started] = entries
  return started?.type === 'run.started' && agent === name ? started.model : 'unknown/unknown'
}

/** The agents by name, with those that they hand over to. */
function reachable(agents: readonly Agent[]): ReadonlyMap<string, Agent> {
  const known = new Map<string, Agent>()
  const add = (agent: Agent): void => {
    if (known.has(agent.name)) return
    known.set(agent.name, agent)
    for (const target of agent.handoffs ?? []) if (typeof target !== 'string') add(target)
  }
  for (const agent of agents) add(agent)
  return known
}

function inputOf({ entries }: HistoryRun): UserMessage {
  for (const entry of entries) {
    if (entry.type === 'message.appended' && entry.source === 'input' && entry.message.role === 'user')
      return entry.message
  }
  return { role: 'user', content: [] }
}

function optionsOf(started: EntryOf<'run.started'>, model: Agent['model']): RunOptions {
  const { instructions, settings, limits, principal, variables, workspace, context, metadata, sessionId } = started
  return {
    instructions,
    settings,
    limits: enforceable(limitsOf(limits), typeof model === 'object' ? model : { info: {} }),
    principal,
    variables,
    workspace,
    context,
    metadata,
    sessionId,
  }
}

function limitsOf(limits: EntryOf<'run.started'>['limits']): Limits | undefined {
  if (limits === undefined) return undefined
  return Object.fromEntries(
    Object.entries(limits).map(([name, limit]) => [name, limit === 'unlimited' ? Infinity : limit]),
  )
}
