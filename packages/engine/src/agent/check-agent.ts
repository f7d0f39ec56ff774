import { ParleyError, checkCount, type Tool } from '@parley/core'
import { handoffTools } from './tools/handoff-tools.ts'
import { unpricedModel } from './unpriced-model.ts'
import { prepareInputQueue } from './input-queue.ts'
import { prepareTruncation } from './truncation.ts'
import { prepareOutput } from './output/prepare-output.ts'
import { checkQuota } from './quota/quota.ts'
import { prepareInstructions } from './instructions/instructions.ts'
import type { Agent } from './agent.ts'
import { checkBehaviour } from './agent-defaults.ts'
import { checkDescribed, checkDescriptions } from './tools/with-descriptions.ts'

const FIELDS: Readonly<Record<Exclude<keyof Agent, 'types'>, true>> = {
  name: true,
  description: true,
  instructions: true,
  model: true,
  tools: true,
  handoffs: true,
  permissions: true,
  quota: true,
  limits: true,
  onLimit: true,
  onTruncated: true,
  queue: true,
  toolExecution: true,
  repairArguments: true,
  toolDescriptions: true,
  toolTimeoutMs: true,
  inputFilters: true,
  middleware: true,
  settings: true,
  retry: true,
  output: true,
  outputOptions: true,
  context: true,
  contextWindow: true,
  tokenCounter: true,
  onApproval: true,
}

/** @throws ParleyError `config-invalid` naming the field of the definition that makes no sense. */
export function checkAgent(agent: Agent): void {
  const { name, model, repairArguments = true, quota } = agent
  if (typeof name !== 'string' || name.trim() === '') refuse('agents', 'an agent has no name')
  const path = `agents.${name}`
  for (const field of Object.keys(agent)) if (!(field in FIELDS)) refuse(`${path}.${field}`, 'is no field of an agent')
  if (typeof model === 'string' ? model === '' : model !== undefined && typeof model?.stream !== 'function') {
    refuse(`${path}.model`, 'is no model')
  }
  if (typeof repairArguments !== 'boolean') refuse(`${path}.repairArguments`, 'must be true or false')
  if (agent.onApproval !== undefined && typeof agent.onApproval !== 'function')
    refuse(`${path}.onApproval`, 'is no function')
  checkContext(agent, path)
  checkLists(agent, path)
  checkBehaviour(agent, path)
  if (quota !== undefined) checkQuota(quota, `${path}.quota`)
  for (const target of [agent, ...(agent.handoffs ?? [])]) {
    if (typeof target === 'string') continue
    const unpriced = unpricedModel(target, agent.limits ?? {})
    if (unpriced !== undefined) throw new ParleyError({ ...unpriced, path: `${path}.limits.maxCost` })
  }
  const transfers = handoffTools(agent)
  prepareInstructions(agent.instructions ?? [], `${path}.instructions`)
  prepareTruncation(agent.onTruncated ?? 'return', `${path}.onTruncated`)
  prepareInputQueue(agent.queue ?? {}, `${path}.queue`)
  const output = prepareOutput({ ...agent, info: typeof model === 'object' ? model.info : {} }, path)
  checkToolDescriptions(agent, [...transfers, ...(output?.tool === undefined ? [] : [output.tool])])
}

/** Names are checked here when every tool is given whole, and otherwise once they are looked up. */
function checkToolDescriptions(agent: Agent, added: readonly Tool[]): void {
  const { name, model, tools = [], output, toolDescriptions = {} } = agent
  const path = `agents.${name}.toolDescriptions`
  checkDescriptions(toolDescriptions, path)
  const whole = tools.filter((tool): tool is Tool => typeof tool !== 'string' && !('tools' in tool))
  // Whether an output takes a tool depends on the model.
  if (whole.length < tools.length || (output !== undefined && typeof model !== 'object')) return
  const known = [...whole, ...added].map(tool => tool.name)
  checkDescribed(toolDescriptions, known, path)
}

function checkContext({ context = 'none', contextWindow, tokenCounter }: Agent, path: string): void {
  checkCount({ contextWindow }, path)
  if (context !== 'none' && (typeof context.due !== 'function' || typeof context.compact !== 'function'))
    refuse(`${path}.context`, `is neither a context policy nor 'none'`)
  if (tokenCounter !== undefined && typeof tokenCounter.count !== 'function')
    refuse(`${path}.tokenCounter`, 'is no token counter')
}

function checkLists({ tools = [], handoffs = [], inputFilters = [], middleware = [] }: Agent, path: string): void {
  for (const [field, list] of Object.entries<unknown>({ tools, handoffs, inputFilters, middleware })) {
    if (!Array.isArray(list)) refuse(`${path}.${field}`, 'is no list')
  }
  for (const [index, tool] of tools.entries()) {
    if (typeof tool === 'string') continue
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

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
