import { checkCount, ParleyError, refuseOption, type Tool, checkOptions, type OptionKinds } from '@parley/core'
import { handoffTools } from './tools/handoff-tools.ts'
import { unpricedModel } from './unpriced-model.ts'
import { INPUT_QUEUE, prepareInputQueue } from './input-queue.ts'
import { prepareTruncation } from './truncated-answer.ts'
import { prepareOutput } from './output/prepare-output.ts'
import { checkQuota, QUOTA } from './quota/quota.ts'
import { prepareInstructions } from './instructions/instructions.ts'
import type { Agent } from './agent.ts'
import { checkBehaviour, DEFAULTS } from './agent-defaults.ts'
import { checkDescribed, checkDescriptions } from './tools/with-descriptions.ts'

const FIELDS: OptionKinds<Omit<Agent, 'types'>> = {
  ...DEFAULTS,
  name: 'string!',
  description: 'string',
  instructions: 'any',
  tools: 'list',
  handoffs: 'list',
  quota: QUOTA,
  onTruncated: 'string or object',
  queue: INPUT_QUEUE,
  repairArguments: 'boolean',
  toolDescriptions: 'object',
  inputFilters: 'list',
  output: 'schema',
  outputOptions: 'object',
  context: 'string or object',
  contextWindow: 'number',
  tokenCounter: 'object',
  onApproval: 'function',
}

/**
 * Checks the definition of an agent.
 * @throws ParleyError `config-invalid` with the path of the field that is invalid.
 */
export function checkAgent(agent: Agent): void {
  const name: unknown = (agent as Agent | undefined)?.name
  if (typeof name !== 'string' || name.trim() === '') refuseOption('agents', 'an agent must have a name')
  const path = `agents.${name}`
  checkOptions(path, agent, FIELDS)
  const { model, quota } = agent
  if (model === '') refuseOption(`${path}.model`, 'must be a model or the name of one')
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
  prepareTruncation(agent.onTruncated, `${path}.onTruncated`)
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

function checkLists({ tools = [], inputFilters = [] }: Agent, path: string): void {
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
