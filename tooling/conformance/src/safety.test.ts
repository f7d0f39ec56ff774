import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isToolOutcome, messageText, type Tool, type ToolContext } from '@parley/core'
import { createFileTools } from '@parley/tools/files'
import { createShellTool } from '@parley/tools/shell'
import { createWorkspace } from '@parley/tools/workspace'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { assistant } from './__fixtures__/assistant.ts'

let root = ''
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'parley-'))
})
afterEach(() => rm(root, { recursive: true }))

function shell(options: Partial<Parameters<typeof createShellTool>[0]> = {}): Tool {
  const workspace = createWorkspace({ roots: [root] })
  // A sandbox has its own folder for temporary files, so it does not show Node.js if this repository lies in that folder.
  return createShellTool({ workspace, policy: 'coder', confirm: 'never', sandbox: 'off', ...options }) as Tool
}

/** Writes a program into the workspace and returns the command that runs it. */
async function script(code: string): Promise<readonly string[]> {
  await writeFile(path.join(root, 'script.cjs'), code)
  return ['node', 'script.cjs']
}

async function call(tool: Tool, input: unknown): Promise<string> {
  const run = { runId: 'r', sessionId: 's', agent: 'a', scope: '', path: [], context: undefined }
  const signal = new AbortController().signal
  const context: ToolContext = { signal, callId: 'c', idempotencyKey: 'r/c', progress: () => {}, run }
  const outcome = await tool.execute(input, context)
  if (!isToolOutcome(outcome) || (outcome.type !== 'ok' && outcome.type !== 'error')) throw new Error('no outcome')
  return messageText({ role: 'tool', callId: 'c', name: tool.name, content: [...outcome.content] })
}

it('13: the timeout of a tool aborts its signal and ends the process group of its child', async () => {
  const argv = await script(`setInterval(() => require('fs').writeFileSync('alive', String(process.uptime())), 10)`)
  const given = assistant([{ toolCalls: [{ name: 'shell', input: { argv, timeoutMs: 3_000 } }] }, 'x'], {
    tools: [shell({ graceMs: 200 })],
  })
  await given.run().result
  expect(given.sent(1).at(-1)).toMatch(/3000 ms/)
  // In a sandbox the process has another id than outside, so only its traces tell whether it runs.
  const alive = (): Promise<string> => readFile(path.join(root, 'alive'), 'utf8')
  const last = await alive()
  // Steady: the process writes every 10 ms if it still runs. On a loaded machine the test can only miss that.
  await new Promise(resolve => setTimeout(resolve, 200))
  expect(await alive()).toBe(last)
})

it('27: the shell tool removes variables that look like secrets from the environment of its child', async () => {
  const env = { ...process.env, OPENAI_API_KEY: 'sk-planted', GITHUB_TOKEN: 'ghp_planted' }
  const argv = await script(`process.stdout.write(require('fs').readFileSync('/proc/self/environ','latin1'))`)
  const inner = await call(shell({ env }), { argv })
  expect(inner).toContain('PATH=')
  expect(inner).not.toContain('planted')
})

it('28: the file tools and the shell tool reject a link that leads out of the workspace', async () => {
  const outside = await mkdtemp(path.join(tmpdir(), 'outside-'))
  await writeFile(path.join(outside, 'secret'), 'treasure')
  await symlink(outside, path.join(root, 'out'))
  const tools = createFileTools({ workspace: createWorkspace({ roots: [root] }), write: true })
  const inputs: Readonly<Record<string, unknown>> = {
    read: { path: 'out/secret' },
    write: { path: 'out/new', content: 'x' },
    edit: { path: 'out/secret', edits: [{ oldText: 'treasure', newText: 'x' }] },
    grep: { pattern: 'treasure', path: 'out' },
  }
  for (const [name, input] of Object.entries(inputs)) {
    const tool = tools.find(each => each.name === name)
    if (tool === undefined) throw new Error(`no tool ${name}`)
    const told = await call(tool as Tool, input)
    expect([name, told]).toEqual([name, expect.stringContaining('leaves the workspace')])
    expect(told).not.toContain('treasure')
  }
  expect(await call(shell(), { argv: ['ls'], cwd: 'out' })).toContain('leaves the workspace')
  expect(await readFile(path.join(outside, 'secret'), 'utf8')).toBe('treasure')
  await rm(outside, { recursive: true })
})

it('30: the shell tool cuts its output without splitting a character', async () => {
  const argv = await script(`process.stdout.write('🚀'.repeat(5000))`)
  for (const maxOutputBytes of [1_001, 1_002, 1_003, 1_004]) {
    const told = await call(shell({ maxOutputBytes }), { argv })
    expect(told).toContain('🚀')
    expect(told).not.toContain('\uFFFD')
  }
})
