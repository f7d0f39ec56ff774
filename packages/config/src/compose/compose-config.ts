import type { Model, Tool, ToolSource } from '@parley/core'
import type { Agent, AgentDefaults, CloseOptions, RuntimeOptions } from '@parley/engine'
import type { ConfigDraft } from '../parse/config-draft.ts'
import { problemsError } from '../parse/problem.ts'
import type { Config } from '../schema/config.ts'
import type { ConfigData } from '../schema/config-schema.ts'
import { composeAgents, namedTools, type AgentParts } from './compose-agents.ts'
import { composeBus } from './compose-bus.ts'
import { composeModels, type ComposedModels } from './compose-models.ts'
import { composeProviders, type ComposedProvider } from './compose-providers.ts'
import type { PartMaker } from './compose-parts.ts'
import { composeSections } from './compose-sections.ts'
import { composeServers } from './compose-servers.ts'
import { composeSkills } from './compose-skills.ts'
import type { ConfigRegistry } from './config-registry.ts'
import type { ConfigTracing, McpStartOptions } from './config-services.ts'
import { mergeProfile, type MergedAgent } from './merge-profile.ts'
import { reportMissing } from './report-missing.ts'
import { createReporter } from './reporter.ts'

/** A configuration as objects of the program. */
export interface ComposedConfig {
  /** The agents, in the order of the file. */
  readonly agents: readonly Agent[]
  /** The models of the file and of the registry, by name. */
  readonly models: Readonly<Record<string, Model>>
  /** The tools and tool sources that agents name, without the agents that they call. */
  readonly tools: readonly (Tool | ToolSource)[]
  /**
   * Options for `createRuntime`: agents, models, providers, tools, the sections `runtime` and `defaults`, the
   * event bus, and `resources`, which close with the runtime. Add the store.
   */
  readonly runtimeOptions: RuntimeOptions
  /** Options for `runtime.close`. */
  readonly closeOptions: CloseOptions
  /**
   * Starts the MCP servers of the file. Without this call, they start when the first run needs their tools.
   * @throws ParleyError `mcp-server-failed` or `mcp-auth-required` if a server does not start, unless the startup policy is
   * `log-and-continue`.
   */
  start(options?: McpStartOptions): Promise<void>
  /** The value of `runtime.store`: a SQLite file or a `postgres://` address. The caller opens it. */
  readonly store: string | undefined
}

/**
 * Makes the providers, models, parts and agents of a configuration. Their names and types are looked up in the registry. It opens no
 * store, starts no server and sends no request.
 * @throws ParleyError `config-invalid` with all names that are not registered and all invalid values: line, key, and known names.
 */
export function composeConfig(config: Config, registry: ConfigRegistry = {}): Promise<ComposedConfig> {
  return composeDraft({ ...config, problems: [], dropped: [] }, registry)
}

/** Makes a configuration. @throws ParleyError `config-invalid` with the problems of the draft and those of its names. */
export async function composeDraft(draft: ConfigDraft, registry: ConfigRegistry): Promise<ComposedConfig> {
  const { data, source } = draft
  if (data === undefined) throw problemsError(draft.problems, source)
  const reporter = createReporter(draft)
  const described = registry.model === undefined ? data.providers : {}
  const providers = await composeProviders(described, registry, reporter)
  const models = await composeModels(data.models, { providers, registry, reporter })
  const maker: PartMaker = {
    reporter,
    contextOf: (key, name) => ({
      name,
      folder: draft.folder,
      workspace: data.workspace,
      model: (field, model) => models.find([...key, field], model),
    }),
  }
  const merged = mergeAgents(data)
  const servers = await composeServers(data, registry, reporter)
  const composed = await composeSections({ data, merged, registry, maker, sources: servers.sources })
  const skills = await composeSkills(merged, registry, reporter)
  const parts = { ...composed.parts, skills, webhookApproval: await webhookOf(merged) }
  const agents = composeAgents({ config: data, merged, models, parts, registry, reporter })
  const defaults = defaultsOf(data, { models, parts })
  const openBus = await composeBus(data, registry, maker)
  const { otel } = registry.services ?? {}
  if (data.otel !== undefined && otel === undefined) reportMissing(reporter, ['otel'])
  reporter.check()
  const bus = await openBus()
  const tracing = data.otel === undefined ? undefined : await otel?.(data.otel)
  // Closed in reverse order: the servers first.
  const resources = [bus, tracing, ...composed.resources(), servers.group?.resource].filter(each => each !== undefined)
  const { store, drainMs, graceMs, ...rest } = data.runtime ?? {}
  return {
    agents,
    models: models.models,
    tools: [...new Set([...merged.values()].flatMap(agent => namedTools(agent, parts)))],
    store,
    closeOptions: { ...(drainMs === undefined ? {} : { drainMs }), ...(graceMs === undefined ? {} : { graceMs }) },
    runtimeOptions: {
      ...rest,
      ...withTracing(defaults, tracing),
      ...(bus === undefined ? {} : { bus }),
      ...(resources.length === 0 ? {} : { resources }),
      agents,
      models: models.models,
      providers: [...providers.values()].flatMap(providerOf),
      tools: registry.tools ?? [],
    },
    start: async (options = {}) => servers.group?.start(options),
  }
}

/** Merges the agents with their profiles. */
function mergeAgents({ agents, profiles }: ConfigData): ReadonlyMap<string, MergedAgent> {
  return new Map(
    Object.entries(agents).map(([name, agent]) => {
      const profile = agent.profile === undefined ? undefined : profiles?.[agent.profile]
      return [name, mergeProfile(name, agent, profile)]
    }),
  )
}

/** Imports the approval by webhook if an agent uses it. */
async function webhookOf(agents: ReadonlyMap<string, MergedAgent>): Promise<AgentParts['webhookApproval']> {
  if ([...agents.values()].every(({ data }) => data.approval === undefined)) return undefined
  return (await import('@parley/middleware/webhook-approval')).webhookApproval
}

interface DefaultParts {
  readonly models: ComposedModels
  readonly parts: AgentParts
}

function defaultsOf({ defaults }: ConfigData, { models, parts }: DefaultParts): AgentDefaults | undefined {
  if (defaults === undefined) return undefined
  const { model, middleware, ...rest } = defaults
  const found = model === undefined ? undefined : models.find(['defaults', 'model'], model)
  const stages = middleware?.flatMap((name, index) => parts.middleware(['defaults', 'middleware', index], name) ?? [])
  return {
    ...rest,
    ...(found === undefined ? {} : { model: found }),
    ...(stages === undefined ? {} : { middleware: stages.map(each => each.middleware) }),
  }
}

/** Adds the tracing middleware before all other middleware, so that traces include the time of the others. */
function withTracing(
  defaults: AgentDefaults | undefined,
  tracing: ConfigTracing | undefined,
): Pick<RuntimeOptions, 'defaults'> {
  if (tracing === undefined) return defaults === undefined ? {} : { defaults }
  return { defaults: { ...defaults, middleware: [tracing.middleware, ...(defaults?.middleware ?? [])] } }
}

function providerOf(composed: ComposedProvider | undefined) {
  return composed === undefined ? [] : [composed.provider]
}
