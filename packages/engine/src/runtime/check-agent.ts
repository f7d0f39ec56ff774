import { ParleyError } from '@parley/core'
import { handoffTools } from '../agents/handoff-tools.ts'
import { unpricedModel } from '../agents/unpriced-model.ts'
import { prepareInputQueue } from '../journal/input-queue.ts'
import { checkLimits } from '../journal/limits.ts'
import { prepareTruncation } from '../journal/truncation.ts'
import { prepareOutput } from '../output/prepare-output.ts'
import { prepareInstructions } from '../prompt/instructions.ts'
import type { Agent } from './agent.ts'
import { checkSettings } from './check-settings.ts'

const FIELDS: Readonly<Record<Exclude<keyof Agent, 'types'>, true>> = {
  name: true,
  description: true,
  instructions: true,
  model: true,
  tools: true,
  handoffs: true,
  limits: true,
  onLimit: true,
  onTruncated: true,
  queue: true,
  toolExecution: true,
  repairArguments: true,
  toolTimeoutMs: true,
  inputFilters: true,
  middleware: true,
  settings: true,
  output: true,
  outputOptions: true,
  context: true,
  tokenCounter: true,
  onApproval: true,
}

/** @throws ParleyError `config-invalid` naming the field of the definition that makes no sense. */
export function checkAgent(agent: Agent): void {
  const { name, model, onLimit = 'stop', repairArguments = true } = agent
  if (typeof name !== 'string' || name.trim() === '') refuse('agents', 'an agent has no name')
  const path = `agents.${name}`
  for (const field of Object.keys(agent)) if (!(field in FIELDS)) refuse(`${path}.${field}`, 'is no field of an agent')
  if (typeof model?.stream !== 'function') refuse(`${path}.model`, 'is no model')
  if (!['stop', 'fail', 'answer'].includes(onLimit)) {
    refuse(`${path}.onLimit`, `is '${onLimit}', it must be stop, fail or answer`)
  }
  if (typeof repairArguments !== 'boolean') refuse(`${path}.repairArguments`, 'must be true or false')
  if (agent.onApproval !== undefined && typeof agent.onApproval !== 'function')
    refuse(`${path}.onApproval`, 'is no function')
  const { context = 'none', tokenCounter } = agent
  if (context !== 'none' && (typeof context.due !== 'function' || typeof context.compact !== 'function'))
    refuse(`${path}.context`, `is neither a context policy nor 'none'`)
  if (tokenCounter !== undefined && typeof tokenCounter.count !== 'function')
    refuse(`${path}.tokenCounter`, 'is no token counter')
  checkLists(agent, path)
  checkExecution(agent, path)
  checkLimits(agent.limits ?? {}, `${path}.limits`)
  for (const target of [agent, ...(agent.handoffs ?? [])]) {
    const unpriced = typeof target === 'string' ? undefined : unpricedModel(target, agent.limits ?? {})
    if (unpriced !== undefined) throw new ParleyError({ ...unpriced, path: `${path}.limits.maxCost` })
  }
  handoffTools(agent)
  checkSettings(agent.settings ?? {}, `${path}.settings`)
  prepareInstructions(agent.instructions ?? [], `${path}.instructions`)
  prepareTruncation(agent.onTruncated ?? 'return', `${path}.onTruncated`)
  prepareInputQueue(agent.queue ?? {}, `${path}.queue`)
  prepareOutput(agent, path)
}

function checkLists({ tools = [], handoffs = [], inputFilters = [], middleware = [] }: Agent, path: string): void {
  for (const [field, list] of Object.entries<unknown>({ tools, handoffs, inputFilters, middleware })) {
    if (!Array.isArray(list)) refuse(`${path}.${field}`, 'is no list')
  }
  for (const [index, tool] of tools.entries()) {
    const usable = 'tools' in tool ? typeof tool.tools === 'function' : typeof tool.execute === 'function'
    if (!usable) refuse(`${path}.tools[${index}]`, 'is neither a tool nor a source of tools')
  }
  for (const [index, filter] of inputFilters.entries()) {
    if (typeof filter?.check !== 'function') refuse(`${path}.inputFilters[${index}]`, 'has no check')
  }
  for (const [index, stage] of middleware.entries()) {
    if (typeof stage?.begin !== 'function') refuse(`${path}.middleware[${index}]`, 'has no begin')
  }
}

function checkExecution({ toolExecution: execution = 'parallel', toolTimeoutMs }: Agent, path: string): void {
  const batch = typeof execution === 'object' ? execution.batch : 1
  if (!(Number.isInteger(batch) && batch > 0))
    refuse(`${path}.toolExecution.batch`, `is ${batch}, it must be a whole number above 0`)
  if (typeof execution === 'string' && !['parallel', 'sequential'].includes(execution))
    refuse(`${path}.toolExecution`, `is '${execution}', it must be parallel, sequential or { batch }`)
  if (toolTimeoutMs !== undefined && !(toolTimeoutMs > 0))
    refuse(`${path}.toolTimeoutMs`, `is ${toolTimeoutMs}, it must be above 0`)
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
