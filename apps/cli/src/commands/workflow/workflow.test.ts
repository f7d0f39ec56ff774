import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCli, type Cli } from '../../__fixtures__/open-cli.ts'

const sums = {
  name: 'sums',
  description: 'Adds.',
  inputs: { numbers: {}, note: { default: 'none' } },
  steps: [
    {
      type: 'map',
      over: 'numbers',
      as: 'n',
      steps: [{ type: 'tool', tool: 'calculator', input: { expression: '{{n}} + 1' } }],
    },
    { type: 'agent', agent: 'assistant', prompt: 'What is 2 + 2? {{note}}, {{input}}, {{result}}' },
  ],
}
const asking = {
  name: 'asking',
  steps: [
    { type: 'approval', prompt: 'Go on?' },
    { type: 'workflow', workflow: 'inner' },
  ],
}
const inner = (value: number) => ({
  name: 'inner',
  steps: [{ type: 'tool', tool: 'calculator', input: { expression: `${value} + 0` } }],
})

async function openFiles(files: Readonly<Record<string, unknown>>): Promise<Cli> {
  const cli = await openCli()
  for (const [name, value] of Object.entries(files))
    await writeFile(join(cli.dir, name), typeof value === 'string' ? value : JSON.stringify(value))
  return cli
}

describe('parley workflow', () => {
  it('parley workflow run runs a file with inputs, an agent and tools, and prints the result', async () => {
    await using cli = await openFiles({ 'sums.json': sums })
    const { code, out, error } = await cli.run('workflow', 'run', 'sums.json', '--input', 'numbers=[1,2]')
    expect(error).toBe('')
    expect(code).toBe(0)
    expect(out).toMatch(/calculator \{"expression":"1 \+ 1"\}/)
    expect(out).toContain('2 + 2 = 4.')
    expect(out).toMatch(/✓ completed/)
    const quiet = await cli.run('workflow', 'run', '-q', 'sums.json', '--input', 'numbers=[]', '--input', 'note=a=b')
    expect(quiet.out).toContain('= 4.')
  })

  it('parley workflow save stores files as versions, which list and run find by name', async () => {
    await using cli = await openFiles({ 'sums.json': sums, 'inner.json': inner(1) })
    expect((await cli.run('workflow', 'save', 'sums.json', 'inner.json')).out).toBe(
      'sums  version 1\ninner  version 1\n',
    )
    await writeFile(join(cli.dir, 'inner.json'), JSON.stringify(inner(2)))
    const again = await cli.run('workflow', 'save', 'sums.json', 'inner.json')
    expect(again.out).toBe('sums  version 1, unchanged\ninner  version 2\n')
    const { out } = await cli.run('workflow', 'list')
    expect(out).toMatch(
      /^inner {2}version 2 {2}\S+ {2}inputs: none\nsums {2}version 1 {2}\S+ {2}inputs: numbers, note {2}Adds\.\n$/,
    )
    const [line = ''] = (await cli.run('workflow', 'list', '--json')).out.split('\n')
    expect(JSON.parse(line)).toMatchObject({ name: 'inner', version: 2, definition: inner(2) })
    expect((await cli.run('workflow', 'run', '-q', 'inner')).out).toContain('2')
  })

  it.each(['asking', 'asking.json'])('a workflow run of %s keeps its definition after an approval', async workflow => {
    await using cli = await openFiles({ 'asking.json': asking, 'inner.json': inner(7) })
    await cli.run('workflow', 'save', 'asking.json', 'inner.json')
    const asked = await cli.run('workflow', 'run', workflow)
    expect(asked.code).toBe(3)
    expect(asked.out).toMatch(/suspended for approval[\s\S]*decide: parley approve/)
    await writeFile(join(cli.dir, 'inner.json'), JSON.stringify(inner(8)))
    await writeFile(join(cli.dir, 'asking.json'), JSON.stringify({ ...asking, description: 'Changed.' }))
    await cli.run('workflow', 'save', 'inner.json', 'asking.json')
    const { code, out, error } = await cli.run('approve', 'last')
    expect(error).toBe('')
    expect(code).toBe(0)
    expect(out).toContain('{"expression":"7 + 0"}')
  })

  it('parley approve --escalate hands a workflow over to one of its agents', async () => {
    await using cli = await openFiles({ 'asking.json': asking, 'inner.json': inner(7) })
    await cli.run('workflow', 'save', 'inner.json')
    const asked = await cli.run('workflow', 'run', 'asking.json', '--model', 'demo')
    expect(asked.code).toBe(3)
    const unknown = await cli.run('approve', 'last', '--escalate', 'missing')
    expect(unknown.code).not.toBe(0)
    expect(unknown.error).toContain("There is no agent named 'missing'")
    expect((await cli.run('approve', 'last', '--escalate', 'a', '--reject', 'b')).error).toContain(
      'cannot be used with',
    )
    const { code, out, error } = await cli.run('approve', 'last', '--escalate', 'assistant')
    expect(error).toBe('')
    expect(code).toBe(0)
    expect(out).toContain('asking hands over to assistant')
    expect(out).not.toContain('7 + 0')
  })

  it('parley workflow run --agent adds agents from .prompty files', async () => {
    const one = { name: 'one', steps: [{ type: 'agent', agent: 'clerk', prompt: 'What is 3 + 4?' }] }
    const prompt = '---\nname: clerk\nmodel:\n  id: demo\n  provider: openai\n  api: chat\n---\nsystem:\nYou count.\n'
    await using cli = await openFiles({ 'one.json': one, 'clerk.prompty': prompt })
    const { code, out, error } = await cli.run(
      'workflow',
      'run',
      'one.json',
      '--agent',
      'clerk=clerk.prompty',
      '--model',
      'demo',
    )
    expect(error).toBe('')
    expect(code).toBe(0)
    expect(out).toMatch(/⇢ clerk starts[\s\S]*✓ completed/)
  })

  it.each<[string, readonly string[], RegExp]>([
    ['an unknown name', ['run', 'missing'], /^parley: workflow: 'missing' is unknown; saved workflows: none.*\.json/],
    ['a missing file', ['run', 'missing.json'], /^parley: .*missing\.json.*the file does not exist/],
    ['a file with invalid JSON', ['save', 'broken.json'], /^parley: .*broken\.json.*JSON/],
    ['a file with an unknown step', ['save', 'odd.json'], /^parley: .*workflows\.odd\.steps\[0\]\.type/],
    ['an unknown tool', ['run', 'toolless.json'], /^parley: .*the tool 'missing' is unknown; known: /],
    ['an input without a name', ['run', 'fine.json', '--input', 'x'], /^parley: --input: must be name=value, not 'x'/],
    [
      'an agent without a file',
      ['run', 'fine.json', '--agent', 'x='],
      /^parley: --agent: must be name=file\.prompty, not 'x='/,
    ],
    ['a missing database', ['list', '--db', 'none.db'], /^parley: .*none\.db.*the database does not exist/],
    ['a missing argument', ['run'], /^parley: missing required argument 'workflow'/],
  ])('parley workflow reports %s in one line and exits with 2', async (_, args, words) => {
    await using cli = await openFiles({
      'broken.json': '{',
      'odd.json': { name: 'odd', steps: [{ type: 'loop' }] },
      'toolless.json': { name: 'w', steps: [{ type: 'tool', tool: 'missing' }] },
      'fine.json': inner(1),
    })
    const { code, out, error } = await cli.run('workflow', ...args)
    expect(error).toMatch(words)
    expect(error.trimEnd().split('\n')).toHaveLength(1)
    expect(out).toBe('')
    expect(code).toBe(2)
  })

  it('parley workflow save saves no file if one of them is invalid', async () => {
    await using cli = await openFiles({ 'fine.json': inner(1), 'broken.json': '{' })
    expect((await cli.run('workflow', 'save', 'fine.json', 'broken.json')).code).toBe(2)
    await cli.run('run', 'hello')
    expect((await cli.run('workflow', 'list')).out).toBe('No workflows.\n')
  })

  it('parley workflow --help lists its commands and options', async () => {
    await using cli = await openCli()
    expect((await cli.run('workflow', '--help')).out).toMatch(/run[\s\S]*save[\s\S]*list/)
    expect((await cli.run('workflow', 'run', '--help')).out).toMatch(/--input <name=value>[\s\S]*--agent <name=file>/)
  })
})
