import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCli, type Cli } from '../__fixtures__/open-cli.ts'

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
  it('runs a file with its inputs, an agent and tools, and shows the result', async () => {
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

  it('saves files as versions, lists them, and runs them by their names', async () => {
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

  it.each(['asking', 'asking.json'])('goes on after an approval with what the run of %s began with', async workflow => {
    await using cli = await openFiles({ 'asking.json': asking, 'inner.json': inner(7) })
    await cli.run('workflow', 'save', 'asking.json', 'inner.json')
    const asked = await cli.run('workflow', 'run', workflow)
    expect(asked.code).toBe(3)
    expect(asked.out).toMatch(/waits for an approval[\s\S]*decide: parley approve/)
    await writeFile(join(cli.dir, 'inner.json'), JSON.stringify(inner(8)))
    await writeFile(join(cli.dir, 'asking.json'), JSON.stringify({ ...asking, description: 'Changed.' }))
    await cli.run('workflow', 'save', 'inner.json', 'asking.json')
    const { code, out, error } = await cli.run('approve')
    expect(error).toBe('')
    expect(code).toBe(0)
    expect(out).toContain('{"expression":"7 + 0"}')
  })

  it('lets one of its agents go on in the place of a call that waits', async () => {
    await using cli = await openFiles({ 'asking.json': asking, 'inner.json': inner(7) })
    await cli.run('workflow', 'save', 'inner.json')
    const asked = await cli.run('workflow', 'run', 'asking.json', '--model', 'demo')
    expect(asked.code).toBe(3)
    const nobody = await cli.run('approve', '--escalate', 'nobody')
    expect(nobody.code).not.toBe(0)
    expect(nobody.error).toContain("There is no agent named 'nobody'")
    expect((await cli.run('approve', '--escalate', 'a', '--reject', 'b')).error).toContain('cannot be used with')
    const { code, out, error } = await cli.run('approve', '--escalate', 'assistant')
    expect(error).toBe('')
    expect(code).toBe(0)
    expect(out).toContain('asking hands over to assistant')
    expect(out).not.toContain('7 + 0')
  })

  it('has further agents from .prompty files', async () => {
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
    expect(out).toMatch(/⇢ clerk begins[\s\S]*✓ completed/)
  })

  it.each<[string, readonly string[], RegExp]>([
    [
      'a name that was never saved',
      ['run', 'nobody'],
      /^parley: .*there is no workflow 'nobody'; none was saved.*\.json/,
    ],
    ['a file there is not', ['run', 'nobody.json'], /^parley: .*nobody\.json.*there is no such file/],
    ['a file that is no JSON', ['save', 'broken.json'], /^parley: .*broken\.json.*JSON/],
    ['a file with another form', ['save', 'odd.json'], /^parley: .*workflows\.odd\.steps\[0\]\.type/],
    ['a tool nobody has', ['run', 'toolless.json'], /^parley: .*the tool 'nobody' is unknown; known: /],
    ['an input without a name', ['run', 'fine.json', '--input', 'x'], /^parley: .*--input.*'x' is no name=value/],
    [
      'an agent without a file',
      ['run', 'fine.json', '--agent', 'x='],
      /^parley: .*--agent.*'x=' is no name=file\.prompty/,
    ],
    ['a database there is not', ['list', '--db', 'none.db'], /^parley: .*none\.db.*there is no such database/],
    ['no workflow', ['run'], /^parley: missing required argument 'workflow'/],
  ])('says in a line what is wrong with %s', async (_, args, words) => {
    await using cli = await openFiles({
      'broken.json': '{',
      'odd.json': { name: 'odd', steps: [{ type: 'loop' }] },
      'toolless.json': { name: 'w', steps: [{ type: 'tool', tool: 'nobody' }] },
      'fine.json': inner(1),
    })
    const { code, out, error } = await cli.run('workflow', ...args)
    expect(error).toMatch(words)
    expect(error.trimEnd().split('\n')).toHaveLength(1)
    expect(out).toBe('')
    expect(code).toBe(2)
  })

  it('keeps nothing of several files when one of them is wrong', async () => {
    await using cli = await openFiles({ 'fine.json': inner(1), 'broken.json': '{' })
    expect((await cli.run('workflow', 'save', 'fine.json', 'broken.json')).code).toBe(2)
    await cli.run('run', 'hello')
    expect((await cli.run('workflow', 'list')).out).toBe('There are no workflows.\n')
  })

  it('explains itself', async () => {
    await using cli = await openCli()
    expect((await cli.run('workflow', '--help')).out).toMatch(/run[\s\S]*save[\s\S]*list/)
    expect((await cli.run('workflow', 'run', '--help')).out).toMatch(/--input <name=value>[\s\S]*--agent <name=file>/)
  })
})
