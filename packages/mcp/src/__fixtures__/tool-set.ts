import { toolAsk, toolError, toolOk, type Tool } from '@parley/core'

let running = 0

/** Tools for the tests of the MCP server. */
export const toolSet: readonly Tool[] = [
  {
    name: 'add',
    description: 'Adds two numbers.',
    input: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
      additionalProperties: false,
    },
    output: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
    effect: 'read',
    execute: input => {
      const { a, b } = input as { a: number; b: number }
      return { sum: a + b }
    },
  },
  {
    name: 'parts',
    description: 'Gives all kinds of parts.',
    input: { type: 'object' },
    execute: () =>
      toolOk([
        { type: 'text', text: 'hi' },
        { type: 'file', mediaType: 'image/png', source: { type: 'base64', data: 'aW1n' } },
        { type: 'file', mediaType: 'audio/wav', source: { type: 'base64', data: 'c25k' } },
        { type: 'file', mediaType: 'application/pdf', name: 'a b.pdf', source: { type: 'base64', data: 'cGRm' } },
        { type: 'file', mediaType: 'text/html', name: 'page', source: { type: 'url', url: 'https://example.com/' } },
      ]),
  },
  { name: 'fail', description: 'Fails.', input: { type: 'object' }, execute: () => toolError('no such file') },
  {
    name: 'throw',
    description: 'Throws.',
    input: { type: 'object' },
    execute: () => {
      throw new Error('boom')
    },
  },
  {
    name: 'steps',
    description: 'Tells its progress.',
    input: { type: 'object' },
    execute: async (_, { progress }) => {
      progress('begun')
      progress({ progress: 2, total: 2, message: 'done' })
      // The older client drops the progress that arrives together with the result.
      await new Promise(resolve => setTimeout(resolve, 50))
      return 'ok'
    },
  },
  {
    name: 'wait',
    description: 'Ends only when it is cancelled.',
    input: { type: 'object' },
    execute: async (_, { signal }) => {
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      process.stderr.write('stopped\n')
      return 'stopped'
    },
  },
  {
    name: 'slow',
    description: 'Has little time.',
    input: { type: 'object' },
    timeoutMs: 50,
    execute: () => new Promise(() => {}),
  },
  {
    name: 'alone',
    description: 'Tells how many of it run.',
    input: { type: 'object' },
    concurrency: 1,
    execute: async () => {
      running += 1
      await new Promise(resolve => setTimeout(resolve, 20))
      const seen = running
      running -= 1
      return String(seen)
    },
  },
  { name: 'denied', description: 'Never.', input: { type: 'object' }, permission: 'deny', execute: () => 'ran' },
  { name: 'asked', description: 'Perhaps.', input: { type: 'object' }, permission: 'ask', execute: () => 'ran' },
  {
    name: 'asks',
    description: 'Asks by itself.',
    input: { type: 'object' },
    execute: (_, { approved }) => (approved === true ? 'ran' : toolAsk('May I?')),
  },
  {
    name: 'roles',
    description: 'For some.',
    input: { type: 'object' },
    permission: { effect: 'allow', roles: ['admin'] },
    execute: () => 'ran',
  },
  {
    name: 'big',
    description: 'Says much.',
    input: { type: 'object', properties: { bytes: { type: 'number' } } },
    effect: 'read',
    execute: input => 'x'.repeat((input as { bytes: number }).bytes),
  },
]
