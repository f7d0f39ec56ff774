import { spawn } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from './run-command.ts'

export interface TemplateRequest {
  readonly template: string
  /** The folder for the project. */
  readonly folder: string
  /** Names the registry with the packages. */
  readonly npmrc: string
}

/** Returns what a project printed instead of what its README says. */
type Trial = (project: string) => Promise<readonly string[]>

const QUESTION = 'What is 12 * 34?'
const ANSWER = '408'
const MAIL = 'Send an e-mail to ann@example.org: It is on its way.'

/** What a user does with each template, with the model that needs no key. */
const TRIALS: Readonly<Record<string, Trial>> = {
  minimal: project => expectOutput(project, ['start', '--', QUESTION], [ANSWER]),
  workflow: project => expectOutput(project, ['start', '--', QUESTION], ['Report', ANSWER]),
  chat: async project => {
    await using server = await startScript(project, 'Open http')
    const url = /http:\S+/.exec(server.printed())?.[0] ?? ''
    const page = await (await fetch(url)).text()
    const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: QUESTION }] }
    const body = JSON.stringify({ id: 'chat', messages: [message] })
    const headers = { 'content-type': 'application/json' }
    const answer = await (await fetch(`${url}/api/chat`, { method: 'POST', headers, body })).text()
    return [...missingIn(page, ['<form']), ...missingIn(answer, [ANSWER])]
  },
  mcp: async project => {
    await using server = await startScript(project, '"tools":[', [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'user', version: '1' } },
      },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
    ])
    return missingIn(server.printed(), ['inputSchema'])
  },
  worker: async project => {
    await using worker = await startScript(project, 'resumes unfinished runs')
    const asked = await runCommand('npm', ['run', '--silent', 'ask', '--', MAIL], { cwd: project })
    const [runId = ''] = asked.stdout.split(' ')
    const approved = await runCommand('npm', ['run', '--silent', 'approve', '--', runId], { cwd: project })
    return [
      ...missingIn(worker.printed(), ['Ctrl+C']),
      ...missingIn(asked.output, ['suspended', 'Waits for approval']),
      ...missingIn(approved.output, ['Approved', 'To ann@example.org: It is on its way.', 'completed']),
    ]
  },
}

/** Creates a project from a template with a published `create-parley`, and does what the README of the project says. */
export async function checkTemplate({ template, folder, npmrc }: TemplateRequest): Promise<readonly string[]> {
  const trial = TRIALS[template]
  if (trial === undefined) return [`No trial of the template ${template} is in check-template.ts.`]
  const name = `my-${template}`
  // The store that suits workers on several machines needs a server.
  const store = template === 'worker' ? ['--store', 'sqlite'] : []
  const choices = ['--template', template, ...store, '--yes']
  const created = await runCommand(
    'npm',
    ['create', '--yes', '--userconfig', npmrc, 'parley@latest', name, '--', ...choices],
    {
      cwd: folder,
    },
  )
  if (!created.ok) return [created.output]
  const project = join(folder, name)
  await cp(join(project, '.env.example'), join(project, '.env'))
  for (const command of [['install', '--userconfig', npmrc], ['test'], ['run', 'typecheck']]) {
    const ran = await runCommand('npm', command, { cwd: project })
    if (!ran.ok) return [`npm ${command.join(' ')}: ${ran.output}`]
  }
  return trial(project)
}

async function expectOutput(
  cwd: string,
  script: readonly string[],
  texts: readonly string[],
): Promise<readonly string[]> {
  const { ok, output } = await runCommand('npm', script, { cwd })
  return ok ? missingIn(output, texts) : [output]
}

function missingIn(printed: string, texts: readonly string[]): readonly string[] {
  return texts.filter(text => !printed.includes(text)).map(text => `'${text}' is missing in: ${printed}`)
}

interface StartedScript extends AsyncDisposable {
  /** What the script has written to its standard output so far. */
  printed(): string
}

/**
 * Runs `npm start` and sends it JSON-RPC messages. Resolves once the output contains `text`. Disposing the script stops it.
 * @throws An error with the output if the script ends before.
 */
function startScript(cwd: string, text: string, messages: readonly object[] = []): Promise<StartedScript> {
  // Port 0 is any free port. The process group contains the shell and the program that npm starts.
  const env = { ...process.env, PORT: '0' }
  const child = spawn('npm', ['start', '--silent'], { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  let printed = ''
  let failed = ''
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  const started: StartedScript = {
    printed: () => printed,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
      await ended
    },
  }
  return new Promise((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => (failed += chunk.toString()))
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      if (printed.includes(text)) resolve(started)
    })
    child.once('error', reject)
    void ended.then(() => reject(new Error(`npm start ended without '${text}': ${printed}${failed}`)))
  })
}
