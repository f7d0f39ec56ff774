import { defineTool, type Message, type Model, type Tool, type ToolEffect } from '@parley/core'
import { scriptedModel, type ScriptStep } from '@parley/testing'
import type { World } from './scenario.ts'

/** Creates a stateless model: its answer depends only on the number of answers in the request. */
export function modelOf(say: (turn: number) => ScriptStep, id = 'script'): Model {
  return scriptedModel(({ messages }) => say(turnAfter(messages)), { id })
}

/** Counts answers, including those that the context policy removed, because an answer of `calling` contains its number. */
function turnAfter(messages: readonly Message[]): number {
  const answers = messages.filter(({ role }) => role === 'assistant')
  const said = JSON.stringify(answers.at(-1) ?? '').match(/Turn (\d+)/)?.[1]
  return Math.max(answers.length, said === undefined ? 0 : Number(said) + 1)
}

/** Creates an answer that calls tools, with ids that are the same in every process. */
export function calling(turn: number, ...tools: readonly string[]): ScriptStep {
  return { text: `Turn ${turn}.`, toolCalls: tools.map((name, index) => ({ name, callId: `c${turn}-${index}` })) }
}

export interface EffectToolOptions extends Pick<Tool, 'permission'> {
  readonly effect?: ToolEffect | undefined
  /** Called after the effect. */
  readonly after?: (() => Promise<void> | void) | undefined
}

/** Creates a tool whose handler records its effect outside of the journal. */
export function effectTool(world: World, name: string, { effect = 'once', permission, after }: EffectToolOptions = {}): Tool {
  return defineTool({
    name,
    description: `Does ${name}.`,
    input: { type: 'object' },
    effect,
    permission,
    execute: async (_, { idempotencyKey }) => {
      world.effect(idempotencyKey)
      await new Promise(resolve => setImmediate(resolve))
      await after?.()
      return `${name} is done`
    },
  })
}
