import { checkOptions, refuseOption, type Model, type OptionKinds, type SystemPart } from '@parley/core'
import type { Agent } from '../agent.ts'
import { prepareOutput, type PreparedOutput } from '../output/prepare-output.ts'
import { handoffTools } from '../tools/handoff-tools.ts'
import { builtInValues, type RenderContext } from './built-in-values.ts'
import { prepareInstructions, type PreparedInstructions } from './instructions.ts'
import type { TemplateValues } from './render-pieces.ts'

/** Options of `effectiveSystemPrompt`. */
export interface SystemPromptOptions extends Omit<RenderContext, 'agentId'> {
  /** Names of the tools for `available_tools`. @default the agent's tools, without those of tool sources */
  readonly availableTools?: readonly string[] | undefined
  /** Instructions of the run, after those of the agent. @default none */
  readonly instructions?: string | undefined
  /** The model that answers, for an agent that names its model. @default the agent's model */
  readonly model?: Model | undefined
}

const OPTIONS: OptionKinds<SystemPromptOptions> = {
  availableTools: 'strings',
  instructions: 'string',
  model: 'model',
  variables: 'object',
  runtimeId: 'string',
  startedAt: 'number',
}

/**
 * Returns the system prompt that the engine sends to the model: the agent's instructions with all variables, the instruction
 * for its output, and the instructions of the run. Providers separate the parts with an empty line.
 * @throws ParleyError `config-invalid` if the agent's instructions are invalid, a required variable is missing, or a
 * variable is not declared.
 */
export function effectiveSystemPrompt(agent: Agent, options: SystemPromptOptions = {}): string {
  checkOptions('effectiveSystemPrompt', options, OPTIONS)
  const path = `agents.${agent.name}`
  const { variables = {}, instructions: own, model = agent.model } = options
  const instructions = prepareInstructions(agent.instructions ?? [], `${path}.instructions`)
  if (instructions.evaluate !== undefined)
    refuseOption(`${path}.instructions`, 'is a function of a run; give its text as `instructions` of the agent')
  instructions.checkVariables(variables)
  const output = prepareOutput({ ...agent, info: typeof model === 'object' ? model.info : {} }, path)
  const { availableTools = toolNames(agent, output) } = options
  const builtIn = builtInValues({ ...options, agentId: agent.name, availableTools })
  return systemParts({ instructions, output }, () => ({ variables, evaluated: '', builtIn }), own)
    .map(({ text }) => text)
    .join('\n\n')
}

interface PromptedAgent {
  readonly instructions: PreparedInstructions
  readonly output: Pick<PreparedOutput, 'instruction'> | undefined
}

/**
 * Returns the parts of the system prompt.
 * @param values Returns the values of the templates. Called only if the instructions contain one.
 * @param own The run's own instructions. They come last: providers cache the prefix that all runs share.
 */
export function systemParts(
  { instructions, output }: PromptedAgent,
  values: () => TemplateValues,
  own: string | undefined,
): readonly SystemPart[] {
  const parts = instructions.fixed ?? instructions.render(values())
  const shared = output?.instruction === undefined ? parts : [...parts, output.instruction]
  return own === undefined ? shared : [...shared, { text: own, volatile: true }]
}

function toolNames(agent: Agent, output: PreparedOutput | undefined): readonly string[] {
  const given = (agent.tools ?? []).flatMap(tool => {
    if (typeof tool === 'string') return [tool]
    return 'tools' in tool ? [] : [tool.name]
  })
  const added = [...handoffTools(agent), ...(output?.tool === undefined ? [] : [output.tool])]
  return [...given, ...added.map(({ name }) => name)]
}
