import { expect, it } from 'vitest'
import { meantOption } from './meant-option.ts'

const AGENT = {
  instructions: 'any',
  limits: { maxTurns: 'number' },
  settings: { temperature: 'number', toolChoice: 'any' },
} as const
const RUN = { input: 'string', sessionId: 'string', context: 'any', principal: 'object', signal: 'signal' } as const
const PARTS = { baseUrl: 'string', tools: 'list', inputFilters: 'list', output: 'schema', settings: 'object' } as const
const SHORTER = { toolExecution: 'any', tools: 'list', timeoutMs: 'number' } as const

it.each([
  ['maxSteps', AGENT, 'limits.maxTurns'],
  ['system', AGENT, 'instructions'],
  ['prompt', AGENT, 'instructions'],
  ['temperature', AGENT, 'settings.temperature'],
  ['toolChoice', AGENT, 'settings.toolChoice'],
  ['tool_choice', AGENT, 'settings.toolChoice'],
  ['prompt', RUN, 'input'],
  ['session', RUN, 'sessionId'],
  ['thread_id', RUN, 'sessionId'],
  ['requestContext', RUN, 'context'],
  ['deps', RUN, 'context'],
  ['tool', SHORTER, 'tools'],
  ['timeout', SHORTER, 'timeoutMs'],
  ['userId', RUN, 'principal'],
  ['abortSignal', RUN, 'signal'],
  ['baseURL', PARTS, 'baseUrl'],
  ['endpoint', PARTS, 'baseUrl'],
  ['mcpServers', PARTS, 'tools'],
  ['functions', PARTS, 'tools'],
  ['inputGuardrails', PARTS, 'inputFilters'],
  ['outputType', PARTS, 'output'],
  ['modelSettings', PARTS, 'settings'],
])('the name %s of another library hints at the option of ours', (name, table, meant) => {
  expect(meantOption(name, table)).toBe(`did you mean '${meant}'?`)
})

it('a name that no option resembles lists the known names', () => {
  expect(meantOption('color', PARTS)).toMatch(/^known: 'baseUrl'/)
})
