import type { Model, ModelEvent, Tool } from '@parley/core'
import { defineAgent, type Agent } from '@parley/engine'

/** Creates a model that calls these tools, one list in each turn, and then answers. */
export function calling(...turns: readonly (readonly string[])[]): Model {
  return {
    provider: 'kit',
    id: 'kit',
    info: {},
    // eslint-disable-next-line typescript/require-await -- a model streams
    async *stream({ messages }): AsyncGenerator<ModelEvent> {
      const turn = messages.filter(({ role }) => role === 'assistant').length
      const names = turns[turn]
      if (names === undefined) {
        yield { type: 'text.delta', text: 'All done.' }
        yield { type: 'finish', reason: 'stop' }
        return
      }
      for (const [index, name] of names.entries())
        yield { type: 'tool-call', callId: `c${turn}-${index}`, name, arguments: '{"task":"go"}' }
      yield { type: 'finish', reason: 'tool-calls' }
    },
  }
}

/** Defines a tool without arguments. */
export function tool(name: string, rest: Pick<Tool, 'execute'> & Partial<Tool>): Tool {
  return { name, description: `Does ${name}.`, input: { type: 'object' }, ...rest }
}

/** Defines an agent whose model calls each of its tools once, one after another. */
export function using(name: string, ...tools: readonly Tool[]): Agent {
  return defineAgent({ name, model: calling(...tools.map(each => [each.name])), tools })
}
