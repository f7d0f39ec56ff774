import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openMcpServer } from '@parley/mcp'
import { describe, expect, it } from 'vitest'
import { bundleCli } from '../../__fixtures__/bundle-cli.ts'
import { openCli } from '../../__fixtures__/open-cli.ts'

describe('parley mcp serve', () => {
  it('parley mcp serve offers the agent as a tool over stdio and stores its runs', async () => {
    await using cli = await openCli()
    const args = [await bundleCli(), 'mcp', 'serve', '--model', 'demo']
    await using server = await openMcpServer({
      transport: 'stdio',
      name: 'parley',
      command: process.execPath,
      args,
      cwd: cli.dir,
    })
    expect((await server.listTools()).map(({ name }) => name)).toEqual(['assistant'])
    const steps: unknown[] = []
    const { content, isError } = await server.callTool(
      'assistant',
      { input: 'What is 6 * 7?' },
      { onProgress: ({ message }) => steps.push(message) },
    )
    expect([isError, String(content[0]?.['text'])]).toEqual([undefined, expect.stringContaining('42') as string])
    expect(steps).toContain('calls calculator')
    expect(await server.close()).toMatchObject({ outcome: 'exited', exitCode: 0 })
    expect((await cli.run('trace')).out).toContain('42')
  })

  it('parley mcp serve --prompts offers .prompty files as prompts', async () => {
    await using cli = await openCli()
    const file =
      '---\nname: greet\nmodel: m\ninputs:\n  - { name: who, kind: string, required: true }\n---\nuser:\nHi {{who}}'
    await writeFile(join(cli.dir, 'greet.prompty'), file)
    const flags = ['mcp', 'serve', '--model', 'demo', '--prompts', 'greet.prompty']
    const args = [await bundleCli(), ...flags]
    const command = { command: process.execPath, args, cwd: cli.dir }
    await using server = await openMcpServer({ transport: 'stdio', name: 'parley', ...command })
    expect(await server.listPrompts()).toEqual([{ name: 'greet', arguments: [{ name: 'who', required: true }] }])
    const { messages } = await server.getPrompt('greet', { who: 'Ada' })
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Hi Ada' } }])
  })

  it('parley mcp serve --offer tools --port offers the tools of the agent over HTTP until SIGTERM', async () => {
    await using cli = await openCli()
    const { child, ended } = cli.start('mcp', 'serve', '--model', 'demo', '--offer', 'tools', '--port', '0')
    const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer]
    const [url = ''] = /http:\S+/.exec(line.toString()) ?? []
    await using server = await openMcpServer({ transport: 'http', name: 'parley', url })
    expect((await server.listTools()).map(({ name }) => name)).toContain('calculator')
    const { content } = await server.callTool('calculator', { expression: '6 * 7' })
    expect(String(content[0]?.['text'])).toContain('42')
    await server.close()
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, error: '' })
  })
})
