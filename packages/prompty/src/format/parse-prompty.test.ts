import { ParleyError } from '@parley/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePrompty } from './parse-prompty.ts'
import { validateInputs } from './validate-inputs.ts'

const fails = async (text: string): Promise<string> => {
  const error: unknown = await parsePrompty(text, { path: 'a.prompty' }).catch((caught: unknown) => caught)
  return ParleyError.is(error) ? error.message : `no typed error: ${String(error)}`
}

describe('frontmatter and body', () => {
  it('parsePrompty takes a text without frontmatter as the body', async () => {
    const agent = await parsePrompty('system:\nHi.\n')
    expect(agent.instructions).toBe('system:\nHi.')
    expect(agent.model).toBeUndefined()
  })

  it.each(['---\nname: a\n---\nHi', '---\nmodel:\n---\nHi', '---\nmodel: null\n---\nHi', 'Hi'])(
    'parsePrompty gives a file without a model no model: %j',
    async text => {
      expect(await parsePrompty(text)).not.toHaveProperty('model')
    },
  )

  it('parsePrompty keeps the parts of a model without an id', async () => {
    const { model } = await parsePrompty('---\nmodel: { provider: azure, options: { seed: 1 } }\n---\nHi')
    expect(model).toEqual({ provider: 'azure', options: { seed: 1 } })
  })

  it('parsePrompty accepts a byte order mark, CRLF, leading white space and +++ fences', async () => {
    expect(await parsePrompty('\uFEFF\r\n---\r\nname: a\r\n---\r\nuser:\r\nHi\r\n')).toMatchObject({
      name: 'a',
      instructions: 'user:\nHi',
    })
    expect(await parsePrompty('+++\nname: b\n+++\nHi')).toMatchObject({ name: 'b', instructions: 'Hi' })
  })

  it('only whole lines are fences, and fences in the body are kept', async () => {
    const agent = await parsePrompty('---\nname: a---b\n---\none\n---\ntwo')
    expect(agent).toMatchObject({ name: 'a---b', instructions: 'one\n---\ntwo' })
  })

  it('an error in the frontmatter names file and line', async () => {
    expect(await fails('---\nname: a\nHello')).toBe(
      "a.prompty: invalid frontmatter: The frontmatter is opened by '---' but not closed. End it with a line that is only '---'.",
    )
    expect(await fails('---\nname: a\nmodel: [x\n---\n')).toMatch(/^a\.prompty:\d: invalid frontmatter: /)
    expect(await fails('---\n- a\n---\n')).toContain('must be a mapping')
    expect(await fails('---\na: 1\nb: 2\na: 3\n---\n')).toBe(
      "a.prompty:4: invalid frontmatter: the key 'a' is repeated.",
    )
  })

  it('parsePrompty evaluates nothing: it rejects a fence with a language and reads a tagged value as text', async () => {
    expect(await fails('---js\nmodule.exports = {}\n---\n')).toContain('never evaluated')
    const agent = await parsePrompty('---\ndescription: !!js/function "function () { return 1 }"\n---\n')
    expect(agent.description).toBe('function () { return 1 }')
  })
})

describe('fields', () => {
  it('an error names file, line and key of an invalid value', async () => {
    expect(await fails('---\nmodel:\n  id: x\n  options:\n    temperature: hot\n---\n')).toBe(
      'a.prompty:5 model.options.temperature: is "hot"; must be a number.',
    )
    expect(await fails('---\ninputs:\n  - name: a\n    kind: strnig\n---\n')).toMatch(
      /^a\.prompty:4 inputs\[0\]\.kind: is "strnig"/,
    )
    expect(await fails('---\nmodel:\n  apiType: chats\n---\n')).toContain('model.apiType: is "chats"')
    expect(await fails('---\ntools:\n  - kind: function\n---\n')).toContain('tools[0].name')
  })

  it('parsePrompty reads inputs as a list, a map, or plain values whose kind is inferred', async () => {
    const list = await parsePrompty('---\ninputs:\n  - { name: a, kind: integer, required: true }\n---\n')
    expect(list.inputs).toEqual([{ name: 'a', kind: 'integer', required: true }])
    const bare = await parsePrompty('---\ninputs: { a: hi, b: 3, c: 1.5, d: true, e: [1], f: { city: Rome } }\n---\n')
    expect(bare.inputs.map(({ name, kind, default: value }) => [name, kind, value])).toEqual([
      ['a', 'string', 'hi'],
      ['b', 'integer', 3],
      ['c', 'float', 1.5],
      ['d', 'boolean', true],
      ['e', 'array', [1]],
      ['f', 'object', { city: 'Rome' }],
    ])
  })

  it('a union must have either oneOf or anyOf', async () => {
    const union = (fields: string): string => `---\noutputs:\n  - { name: u, kind: union${fields} }\n---\n`
    const branch = '[{ kind: string }, integer]'
    expect((await parsePrompty(union(`, oneOf: ${branch}`))).outputs[0]?.oneOf).toHaveLength(2)
    expect(await fails(union(''))).toContain('either oneOf or anyOf')
    expect(await fails(union(`, oneOf: ${branch}, anyOf: ${branch}`))).toContain('either oneOf or anyOf')
  })

  it('parsePrompty reads bindings in three forms and approval as a word, and keeps unknown tool kinds', async () => {
    const agent = await parsePrompty(`---
tools:
  - { name: a, kind: function, bindings: { unit: { input: preferred } } }
  - { name: b, kind: function, bindings: { unit: preferred } }
  - { name: c, kind: function, bindings: [{ name: unit, input: preferred }] }
  - { name: d, kind: mcp, serverName: s, approvalMode: never, allowedTools: [x] }
  - { name: e, kind: weather_station, options: { port: 7 } }
---
`)
    for (const tool of agent.tools.slice(0, 3)) expect(tool.bindings).toEqual({ unit: { input: 'preferred' } })
    expect(agent.tools[3]).toMatchObject({ kind: 'mcp', serverName: 's', approvalMode: { kind: 'never' } })
    expect(agent.tools[4]).toMatchObject({ kind: 'weather_station', options: { port: 7 } })
  })

  it('an unknown key is a warning, not an error', async () => {
    const agent = await parsePrompty('---\nname: a\nmodle: x\n---\n', { path: 'a.prompty' })
    expect(agent.warnings).toEqual(['a.prompty:3 modle: is an unknown field and is ignored.'])
  })
})

describe('older forms', () => {
  it('parsePrompty migrates a file of the first version, with warnings', async () => {
    const agent = await parsePrompty(`---
name: old
authors: [me]
model:
  api: chat
  configuration:
    type: azure_openai
    azure_endpoint: https://x.openai.azure.com
    azure_deployment: gpt-4
    api_key: k
  parameters:
    max_tokens: 10
    top_p: 0.5
    stop: END
    tools:
      - type: function
        function: { name: f, parameters: { type: object, properties: { a: { type: string } }, required: [a] } }
inputs:
  q: { type: string, sample: hi }
sample: { q: hi }
template: jinja2
---
`)
    expect(agent).toMatchObject({
      metadata: { authors: ['me'] },
      model: {
        id: 'gpt-4',
        provider: 'foundry',
        apiType: 'chat',
        connection: { kind: 'key', endpoint: 'https://x.openai.azure.com', apiKey: 'k' },
        options: { maxOutputTokens: 10, topP: 0.5, stopSequences: ['END'] },
      },
      inputs: [{ name: 'q', kind: 'string', default: 'hi' }],
      tools: [{ name: 'f', kind: 'function', parameters: [{ name: 'a', kind: 'string', required: true }] }],
      template: { format: { kind: 'jinja2' }, parser: { kind: 'prompty' } },
    })
    expect(agent.warnings.length).toBeGreaterThanOrEqual(8)
  })

  it('parsePrompty reads inputSchema and outputSchema unless the file has inputs and outputs', async () => {
    const text = '---\ninputSchema: { properties: { a: { kind: string } } }\noutputSchema: { b: { kind: integer } }\n'
    const agent = await parsePrompty(`${text}---\n`)
    expect([agent.inputs[0]?.name, agent.outputs[0]?.name]).toEqual(['a', 'b'])
    const both = await parsePrompty(`${text}inputs: { c: 1 }\n---\n`)
    expect(both.inputs.map(({ name }) => name)).toEqual(['c'])
  })
})

describe('references', () => {
  const environment = { KEY: 'k', EMPTY: '', REFERENCE: '${env:KEY}' }
  const read = async (value: string): Promise<unknown> =>
    (await parsePrompty(`---\nmetadata:\n  tags: [${JSON.stringify(value)}]\n---\n`, { environment })).metadata['tags']

  it('a string that is one reference is replaced, also in a list', async () => {
    expect(await read('${env:KEY}')).toEqual(['k'])
    expect(await read('${ENV:KEY}')).toEqual(['k'])
    expect(await read('${env:EMPTY:other}')).toEqual([''])
    expect(await read('${env:NONE:https://x/y}')).toEqual(['https://x/y'])
    expect(await read('${env:NONE:}')).toEqual([''])
  })

  it('other strings are kept unchanged', async () => {
    for (const text of ['pre-${env:KEY}', '${env:KEY} ', '${vault:KEY}', '${env}', '$${env:KEY}'])
      expect(await read(text)).toEqual([text])
  })

  it('the value of a variable is not scanned for references', async () => {
    expect(await read('${env:REFERENCE}')).toEqual(['${env:KEY}'])
  })

  it('an error names the key and the variable that is not set, and inherited properties do not count', async () => {
    const text = '---\nmodel:\n  id: x\n  connection: { kind: key, apiKey: "${env:NONE}" }\n---\n'
    expect(await fails(text)).toBe(
      "a.prompty:4 model.connection.apiKey: Environment variable 'NONE' not set. Set it, or write a default: ${env:NONE:default}.",
    )
    expect(await fails('---\nname: ${env:constructor}\n---\n')).toContain("'constructor' not set")
  })
})

describe('inputs', () => {
  it('validateInputs fills in defaults, keeps other inputs, and names a missing one', async () => {
    const agent = await parsePrompty(
      '---\ninputs:\n  - { name: a, default: x, example: y }\n  - { name: b, kind: string, example: never }\n  - { name: c, kind: string, required: true }\n---\n',
    )
    expect(validateInputs(agent, { c: 1, extra: true })).toEqual({ a: 'x', c: 1, extra: true })
    expect(() => validateInputs(agent, {})).toThrow("Missing required input 'c'")
  })
})

it('parsePrompty returns a result or a typed error for any text', async () => {
  const yaml = fc.array(
    fc.constantFrom(
      'a',
      ': ',
      '- ',
      '[',
      ']',
      '{',
      '}',
      '\n',
      '  ',
      '"',
      '|',
      '&x ',
      '*x ',
      '!t ',
      '? ',
      '${env:A}',
      'model',
      'tools',
      'inputs',
      'name',
      'kind',
    ),
    { maxLength: 60 },
  )
  await fc.assert(
    fc.asyncProperty(yaml, fc.string(), async (pieces, body) => {
      const result: unknown = await parsePrompty(`---\n${pieces.join('')}\n---\n${body}`).catch(
        (error: unknown) => error,
      )
      expect(result instanceof Error ? ParleyError.is(result) : true).toBe(true)
    }),
    { numRuns: 500 },
  )
})
