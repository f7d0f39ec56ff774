import { defineTool, toolError, toolOk } from '@parley/core'

const anything = { type: 'object' as const }

/** Tools that succeed, fail, ask for approval, report progress and return a file. */
export const tools = [
  defineTool({ name: 'weather', description: 'Tells.', input: anything, effect: 'read', execute: () => 'sunny' }),
  defineTool({ name: 'broken', description: 'Fails.', input: anything, execute: () => toolError('no power') }),
  defineTool({ name: 'mcp__db__query', description: 'Asks.', input: anything, execute: () => '1' }),
  defineTool({ name: 'pay', description: 'Pays.', input: anything, permission: 'ask', execute: () => 'paid' }),
  defineTool({
    name: 'slow',
    description: 'Says how far it is.',
    input: anything,
    execute: (_, { progress }) => {
      progress({ percent: 50 })
      return 'done'
    },
  }),
  defineTool({
    name: 'picture',
    description: 'Draws.',
    input: anything,
    execute: () => toolOk([{ type: 'file', mediaType: 'image/png', source: { type: 'base64', data: 'AAAA' } }]),
  }),
]
