import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ParleyError, type Store, type Tool, type ToolSource } from '@parley/core'
import { createRuntime, defineAgent, type Agent, type Runtime } from '@parley/engine'
import { createFileTools } from '@parley/tools/files'
import { calculator } from '@parley/tools/math'
import { createTimeTools } from '@parley/tools/time'
import { createWorkspace } from '@parley/tools/workspace'
import type { AgentFlags } from './agent-flags.ts'
import { openTokenStore } from './commands/mcp-config.ts'
import { chooseModel } from './choose-model.ts'
import { loadTools } from './load-tools.ts'
import { openStore } from './open-store.ts'
import { isWorkerGone, thisWorker } from './worker.ts'

/** What the command line runs: one agent named `assistant`, with everything the flags ask for, or a workflow that may name it. */
export interface Composition extends AsyncDisposable {
  readonly runtime: Runtime
  readonly store: Store
  readonly agent: Agent
  /** `provider/id`. */
  readonly model: string
}

export const AGENT = 'assistant'

/** @throws ParleyError for a flag, a file, a server or a database that cannot be used. */
export async function openComposition(flags: AgentFlags, database: string): Promise<Composition> {
  await using opening = createOpening()
  const store = opening.use(await openStore(database))
  const { agent, others } = await openAgents(flags, opening, store)
  const runtime = createRuntime({
    store,
    worker: thisWorker,
    isWorkerGone,
    agents: [agent, ...others.filter(({ name }) => name !== agent.name)],
  })
  opening.use(runtime)
  const close = opening.release()
  return { runtime, store, agent, model: nameOf(agent.model), [Symbol.asyncDispose]: close }
}

interface OpenAgents {
  readonly agent: Agent
  /** Who may go on in its place when a person says so. */
  readonly others: readonly Agent[]
}

async function openAgents(flags: AgentFlags, opening: Opening, store: Store): Promise<OpenAgents> {
  const { maxTurns, instructions, prompty, workflow } = flags
  const tools = await openTools(flags, opening)
  if (workflow !== undefined) {
    const { openWorkflowAgent } = await import('./open-workflow-agent.ts')
    const { agent, agents } = await openWorkflowAgent(flags, { workflow, store, tools })
    for (const each of agents) if (Symbol.asyncDispose in each) opening.use(each as Agent & AsyncDisposable)
    return { agent, others: agents }
  }
  if (prompty !== undefined) {
    const { openPromptyAgent } = await import('./open-prompty-agent.ts')
    return { agent: opening.use(await openPromptyAgent(flags, { name: AGENT, file: prompty, tools })), others: [] }
  }
  const model = await chooseModel(flags)
  return { agent: defineAgent({ name: AGENT, model, instructions, tools, limits: { maxTurns } }), others: [] }
}

function nameOf(model: Agent['model']): string {
  return typeof model === 'object' ? `${model.provider}/${model.id}` : (model ?? '')
}

async function openTools(flags: AgentFlags, opening: Opening): Promise<readonly (Tool | ToolSource)[]> {
  const workspace = createWorkspace({ roots: [resolve(flags.root)] })
  const own = [calculator, ...createTimeTools(), ...createFileTools({ workspace })]
  const loaded = (await Promise.all((flags.tools ?? []).map(path => loadTools(path)))).flat()
  if (flags.mcp === undefined) return [...own, ...loaded]
  const { openMcpServers, parseMcpConfig } = await import('@parley/mcp')
  const config = await readText(flags.mcp)
  const definitions = parseMcpConfig(config, { path: flags.mcp, environment: process.env })
  const { servers } = opening.use(await openMcpServers(definitions, { tokenStore: await openTokenStore() }))
  return [...own, ...loaded, ...servers]
}

/** @throws ParleyError `file-unreadable`. */
async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    const detail = code === 'ENOENT' ? 'there is no such file' : (code ?? String(cause))
    throw new ParleyError({ code: 'file-unreadable', path, detail }, { cause })
  }
}

/** Closes what was opened, last first, unless it is released to the one who asked for it. */
interface Opening extends AsyncDisposable {
  use<TResource extends AsyncDisposable>(resource: TResource): TResource
  release(): () => Promise<void>
}

function createOpening(): Opening {
  let opened: AsyncDisposable[] = []
  const closeAll = async (resources: readonly AsyncDisposable[]): Promise<void> => {
    for (const resource of resources.toReversed()) await resource[Symbol.asyncDispose]()
  }
  return {
    use(resource) {
      opened.push(resource)
      return resource
    },
    release() {
      const released = opened
      opened = []
      return () => closeAll(released)
    },
    [Symbol.asyncDispose]: () => closeAll(opened),
  }
}
