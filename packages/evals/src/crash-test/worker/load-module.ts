import { pathToFileURL } from 'node:url'
import { ParleyError, type ClientCall } from '@parley/core'
import type { Agent, ToolResult } from '@parley/engine'
import type { ModuleContents } from '../process/work-order.ts'

/** What a module offers to the crash test. */
export interface LoadedModule {
  readonly agents: readonly Agent[]
  readonly inputsOf: (agent: string) => readonly string[]
  /** Shows what the tools change where the crash test cannot see it. @default only the folder and the ledger are looked at */
  readonly world?: (() => unknown) | undefined
  /** Gives the result of a call that waits for a client. @default the text `done` */
  readonly submit: (call: ClientCall) => ToolResult | Promise<ToolResult>
}

/**
 * Loads the module of the agents.
 * @throws ParleyError `file-unreadable` if it does not load, `config-invalid` if it exports no agent or wrong helpers.
 */
export async function loadModule(path: string): Promise<LoadedModule> {
  let exported: Record<string, unknown>
  try {
    exported = (await import(pathToFileURL(path).href)) as Record<string, unknown>
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw new ParleyError({ code: 'file-unreadable', path, detail }, { cause })
  }
  const agents = [...new Set(Object.values(exported).flatMap(itemsOf))].filter(isAgent)
  if (agents.length === 0) return refuse(path, 'must export at least one agent, of defineAgent')
  const { world, submit = () => 'done', inputs = {} } = exported
  if (world !== undefined && !isFunction(world)) return refuse(path, 'exports a world that is not a function')
  if (!isFunction(submit)) return refuse(path, 'exports a submit that is not a function')
  if (typeof inputs !== 'object' || inputs === null) return refuse(path, 'exports inputs that are not an object')
  const listed = inputs as Readonly<Record<string, string | readonly string[]>>
  return {
    agents,
    inputsOf: name => [listed[name] ?? 'go'].flat(),
    world,
    submit: submit as LoadedModule['submit'],
  }
}

/**
 * Loads the agents that a module exports: single ones, and those in lists and records.
 * @throws ParleyError `file-unreadable` if the module does not load, `config-invalid` if it exports no agent.
 */
export async function loadAgents(path: string): Promise<readonly Agent[]> {
  return (await loadModule(path)).agents
}

/** Lists the agents of a module, for the process that plans the crash test. */
export function contentsOf({ agents, inputsOf, world }: LoadedModule): ModuleContents {
  return {
    agents: agents.map(({ name }) => ({ name, inputs: inputsOf(name) })),
    hasWorld: world !== undefined,
  }
}

/** A namespace may hold an agent, a list of agents, or a record of agents. */
function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'object' && value !== null && !isAgent(value)) return Object.values(value)
  return [value]
}

/** An agent has a model, which tools and other objects with a name lack. */
function isAgent(value: unknown): value is Agent {
  return typeof value === 'object' && value !== null && 'name' in value && 'model' in value && !('execute' in value)
}

function isFunction(value: unknown): value is () => unknown {
  return typeof value === 'function'
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
