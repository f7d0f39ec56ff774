import { checkCount, ParleyError, refuseOption, type Tool } from '@parley/core'
import { handoffTools } from './tools/handoff-tools.ts'
import { unpricedModel } from './unpriced-model.ts'
import { prepareInputQueue } from './input-queue.ts'
import { prepareTruncation } from './truncated-answer.ts'
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
  clientTools: true,
  retry: true,
  output: true,
  outputOptions: true,
  context: true,
  contextWindow: true,
  tokenCounter: true,
  onApproval: true,
}

/** @throws ParleyError `config-invalid` with the path of the field that is invalid. */
export function checkAgent(agent: Agent): void {
  const { name, model, repairArguments = true, quota } = agent
  if (typeof name !== 'string' || name.trim() === '') refuseOption('agents', 'an agent must have a name')
  const path = `agents.${name}`
  for (const field of Object.keys(agent))
    if (!(field in FIELDS)) refuseOption(`${path}.${field}`, 'is not a field of an agent')
  if (typeof model === 'string' ? model === '' : model !== undefined && typeof model?.stream !== 'function') {
    refuseOption(`${path}.model`, 'must be a model or the name of one')
  }
  if (typeof repairArguments !== 'boolean') refuseOption(`${path}.repairArguments`, 'must be true or false')
  if (agent.onApproval !== undefined && typeof agent.onApproval !== 'function')
    refuseOption(`${path}.onApproval`, 'must be a function')
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

/** Checks the tool names, if every tool is given as an object. Otherwise they are checked once the tools are looked up. */
function checkToolDescriptions(agent: Agent, added: readonly Tool[]): void {
  const { name, model, tools = [], output, toolDescriptions = {} } = agent
  const path = `agents.${name}.toolDescriptions`
  checkDescriptions(toolDescriptions, path)
  const whole = tools.filter((tool): tool is Tool => typeof tool !== 'string' && !('tools' in tool))
  // The model decides whether the output needs a tool.
  if (whole.length < tools.length || (output !== undefined && typeof model !== 'object')) return
  const known = [...whole, ...added].map(tool => tool.name)
  checkDescribed(toolDescriptions, known, path)
}

function checkContext({ context = 'none', contextWindow, tokenCounter }: Agent, path: string): void {
  checkCount({ contextWindow }, path)
  if (context !== 'none' && (typeof context.due !== 'function' || typeof context.compact !== 'function'))
    refuseOption(`${path}.context`, `must be a context policy or 'none'`)
  if (tokenCounter !== undefined && typeof tokenCounter.count !== 'function')
    refuseOption(`${path}.tokenCounter`, 'must be a token counter: an object with count')
}

function checkLists({ tools = [], handoffs = [], inputFilters = [] }: Agent, path: string): void {
  for (const [field, list] of Object.entries<unknown>({ tools, handoffs, inputFilters })) {
    if (!Array.isArray(list)) refuseOption(`${path}.${field}`, 'must be a list')
  }
  for (const [index, tool] of tools.entries()) {
    if (typeof tool === 'string') continue
    const usable = 'tools' in tool ? typeof tool.tools === 'function' : typeof tool.execute === 'function'
    if (!usable) refuseOption(`${path}.tools[${index}]`, 'must be a tool or a tool source')
  }
  for (const [index, filter] of inputFilters.entries()) {
    if (typeof filter?.check !== 'function')
      refuseOption(`${path}.inputFilters[${index}]`, 'must have a check function')
  }
}
