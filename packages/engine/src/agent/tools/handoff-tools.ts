import { defineTool, refuseOption, toolHandoff, type Tool } from '@parley/core'
import type { Agent } from '../agent.ts'

const INPUT = {
  type: 'object',
  properties: {
    task: { type: 'string', description: 'What to do now, where the conversation does not say so itself.' },
  },
  additionalProperties: false,
} as const

/**
 * Creates one tool for each agent that a run may be handed over to.
 * @throws ParleyError `config-invalid` if an agent hands over to itself, or if two tools would have the same name.
 */
export function handoffTools({
  name,
  handoffs = [],
  tools = [],
}: Pick<Agent, 'name' | 'handoffs' | 'tools'>): readonly Tool[] {
  const names = tools.map(tool => (typeof tool === 'string' ? tool : tool.name))
  const taken = new Map(names.map(known => [known, `the tool '${known}'`]))
  return handoffs.map((handoff, index) => {
    const path = `agents.${name}.handoffs[${index}]`
    const target = typeof handoff === 'string' ? handoff : handoff.name
    if (typeof target !== 'string' || target.trim() === '') refuseOption(path, 'must be an agent or the name of one')
    if (target === name) refuseOption(path, 'is the agent itself')
    const tool = `transfer_to_${target.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`.slice(0, 64)
    const other = taken.get(tool)
    if (other !== undefined) refuseOption(path, `'${target}' would be called '${tool}', as is ${other}`)
    taken.set(tool, `the handoff to '${target}'`)
    return handoffTool(tool, target, typeof handoff === 'string' ? undefined : handoff.description)
  })
}

function handoffTool(name: string, target: string, about: string | undefined): Tool {
  return defineTool({
    name,
    description: `Hands the conversation over to '${target}', who answers from then on.${about === undefined ? '' : ` ${about}`}`,
    input: INPUT,
    effect: 'read',
    execute: input => toolHandoff(target, { task: (input as { task?: string }).task }),
  })
}
