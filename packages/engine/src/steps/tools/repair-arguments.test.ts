import { defineTool } from '@parley/core'
import { compileSchema } from '@parley/core/json-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventsOf, setup, toldTo } from '../../runtime/__fixtures__/set-up-agent.ts'
import { repairArguments } from './repair-arguments.ts'
import type { Agent } from '../../index.ts'

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    lines: { type: 'array', items: { type: 'integer' } },
    deep: { type: 'boolean' },
  },
  required: ['path'],
  additionalProperties: false,
}

describe('repairArguments', () => {
  it.each([
    ['single quotes', "{'path': 'a'}", { path: 'a' }],
    ['a trailing comma', '{"path": "a", "lines": [1, 2,],}', { path: 'a', lines: [1, 2] }],
    ['words of Python', '{"path": "a", "deep": True}', { path: 'a', deep: true }],
    ['a fence', '```json\n{"path": "a"}\n```', { path: 'a' }],
    ['words around it', 'Sure: {"path": "a"} is what I need.', { path: 'a' }],
    ['a tag around it', '<arguments>{"path": "a"}</arguments>', { path: 'a' }],
    ['a missing brace', '{"path": "a", "lines": [1, 2]', { path: 'a', lines: [1, 2] }],
    ['an object encoded twice', String.raw`"{\"path\": \"a\"}"`, { path: 'a' }],
    ['backslashes of a path', String.raw`{"path": "C:\Users\dir"}`, { path: String.raw`C:\Users\dir` }],
    ['bare keys and backslashes', String.raw`{path: "C:\Users"}`, { path: String.raw`C:\Users` }],
    ['a comment', '{"path": "a" /* here */}', { path: 'a' }],
  ])('repairArguments repairs %s', async (_, text, value) => {
    expect(await repairArguments(text, compileSchema(schema))).toEqual(value)
  })

  it.each([
    ['arguments that do not fit the schema', "{'lines': [1]}"],
    ['arguments with unknown fields', "{'path': 'a', 'force': True}"],
    ['a list', '[1, 2'],
    ['an empty text', ''],
    ['plain words', 'read the file a'],
    ['a text so long that repairing it would hold up the process', `{'path': '${'x'.repeat(100_000)}'}`],
  ])('repairArguments does not repair %s', async (_, text) => {
    expect(await repairArguments(text, compileSchema(schema))).toBeUndefined()
  })

  it('repairArguments never throws and never returns arguments that do not fit the schema', async () => {
    const validate = compileSchema(schema)
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      ':',
      ',',
      '\\',
      'path',
      'a',
      '1',
      'True',
      '```',
      '\n',
      ' ',
    )
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: pieces, maxLength: 40 }), async text => {
        const value = await repairArguments(text, validate)
        if (value !== undefined) expect((await validate(value)).ok).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

describe('a call with invalid JSON arguments', () => {
  const read = defineTool({ name: 'read', description: 'Reads.', input: schema, execute: input => input })
  const script = (text: string, finish?: 'length') => [
    { toolCalls: [{ name: 'read', arguments: text }], ...(finish === undefined ? {} : { finish }) },
    'Done.',
  ]
  const agent: Partial<Agent> = { tools: [read] }

  it('a call with repairable arguments runs with the repaired ones, and tool.started says so', async () => {
    const given = setup(script("{'path': 'a'}"), agent)
    const events = await eventsOf(given.run())
    expect(toldTo(given)).toEqual(['{"path":"a"}'])
    expect(events.find(event => event.type === 'tool.started')).toMatchObject({ input: { path: 'a' }, repaired: true })
  })

  it('the transcript keeps the arguments that the model wrote', async () => {
    const given = setup(script("{'path': 'a'}"), agent)
    await given.run().result
    expect(JSON.stringify(given.model.requests[1]?.messages)).toContain("{'path': 'a'}")
  })

  it('tool.started has no repaired mark for valid arguments', async () => {
    const events = await eventsOf(setup(script('{"path": "a"}'), agent).run())
    expect(events.find(event => event.type === 'tool.started')).not.toHaveProperty('repaired')
  })

  it.each([
    ['repairArguments is false', script("{'path': 'a'}"), { ...agent, repairArguments: false }],
    ['the answer was truncated', script('{"path": "a", "lines": [1', 'length'), agent],
    ['it cannot be repaired', script('read a'), agent],
  ])('the model receives an error for invalid arguments when %s', async (_, answers, fields) => {
    const given = setup(answers, fields)
    const events = await eventsOf(given.run())
    expect(toldTo(given)[0]).toContain("The arguments of 'read' are not valid JSON")
    expect(events.some(event => event.type === 'tool.started')).toBe(false)
  })
})
