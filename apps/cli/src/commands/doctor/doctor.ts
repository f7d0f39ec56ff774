import { describeError, ParleyError, toErrorInfo, type RunStatus } from '@parley/core'
import type { Command } from 'commander'
import { countOf } from '../../render/count-of.ts'
import { withAgentFlags, type AgentFlags } from '../../flags/agent-flags.ts'
import { withDatabaseFlag } from '../../flags/database-flag.ts'
import { checkNode } from '../../check-node.ts'
import { oneLine } from '../../render/one-line.ts'
import { openStore } from '../../store/open-store.ts'
import { probeAnswer, probeTools } from './probe-model.ts'
import { redactDatabase } from '../../store/database.ts'
import { withExamples } from '../../program/with-examples.ts'
import type { Terminal } from '../../render/terminal.ts'

const VENDORS = new Set(['anthropic', 'google', 'ollama'])

interface DoctorFlags extends AgentFlags {
  readonly db: string
}

/** Defines the command `parley doctor`. */
export function defineDoctorCommand(command: Command, terminal: Terminal): void {
  command.description(
    'Checks Node.js, the database, the model, the tools and the MCP servers, and explains how to fix each fault. With ' +
      '--base-url, also finds the quirk profile of the server and sends two short requests to its model.',
  )
  withDatabaseFlag(withAgentFlags(command)).action(async (flags: DoctorFlags) => {
    const checks: readonly (readonly [string, () => Promise<string>])[] = [
      ['node', () => Promise.resolve(checkNode(process.versions.node) ?? `Node.js ${process.versions.node}`)],
      ['database', () => checkDatabase(flags.db)],
      ['model', () => checkModel(flags)],
      ['agent', () => checkAgent(flags)],
      ['sandbox', describeSandbox],
      ...(flags.baseUrl === undefined ? [] : serverChecks(flags.baseUrl, flags.model)),
    ]
    let faults = 0
    for (const [name, check] of checks) {
      const { ok, text } = await outcomeOf(check)
      if (!ok) faults++
      const mark = ok ? terminal.style('green', 'ok   ') : terminal.style('red', 'fault')
      terminal.out(`${mark} ${name.padEnd(9)} ${oneLine(text, 400)}\n`)
    }
    process.exitCode = faults === 0 ? 0 : 2
  })
  withExamples(command, [
    ['doctor', 'checks the setup'],
    ['doctor --base-url http://127.0.0.1:11434/v1', 'also checks a model server'],
  ])
}

/**
 * Checks which server answers at the base URL, and whether its model can do what agents require. The server is
 * identified once for all checks.
 */
function serverChecks(
  baseUrl: string,
  model: string | undefined,
): readonly (readonly [string, () => Promise<string>])[] {
  const identity = (async () => {
    const { createOpenAI, identifyServer, profileOfUrl, quirkProfiles } = await import('@parley/openai')
    // Each service gets only its own key, so that a key never reaches another company.
    const { keyVariable = 'OPENAI_API_KEY' } = quirkProfiles[profileOfUrl(baseUrl)]
    const apiKey = process.env[keyVariable] || undefined
    const server = await identifyServer({ baseUrl, apiKey })
    const chosen = model === 'demo' ? undefined : model
    const id = chosen ?? (process.env['OPENAI_MODEL'] || server.models[0]?.id)
    if (id === undefined)
      throw new ParleyError({
        code: 'config-invalid',
        path: '--model',
        detail: 'is required, because the server lists no models',
      })
    const retry = { maxRetries: 0 }
    return { ...server, probed: createOpenAI({ baseUrl, apiKey, retry, quirks: server.profile }).model(id) }
  })()
  // Each check reports the rejection. Until the first check awaits it, Node.js would report it as unhandled.
  identity.catch(() => undefined)
  return [
    [
      'server',
      async () => {
        const { profile, evidence, models } = await identity
        return `quirk profile '${profile}' (${evidence}); the server lists ${countOf(models.length, 'model')}`
      },
    ],
    ['answer', async () => probeAnswer((await identity).probed)],
    ['calls', async () => probeTools((await identity).probed)],
  ]
}

async function outcomeOf(check: () => Promise<string>): Promise<{ readonly ok: boolean; readonly text: string }> {
  try {
    return { ok: true, text: await check() }
  } catch (error) {
    return { ok: false, text: describeError(toErrorInfo(error)) }
  }
}

async function describeSandbox(): Promise<string> {
  const { findSandbox } = await import('@parley/tools/shell')
  const sandbox = await findSandbox()
  if (sandbox !== undefined) return `${sandbox.name}: the shell tool runs commands in it`
  return 'none: only its policy limits the shell tool; on Linux, install bubblewrap'
}

async function checkDatabase(database: string): Promise<string> {
  await using store = await openStore(database)
  const runs = await store.runs({ scope: 'default', limit: 10_000 })
  const count = (status: RunStatus): number => runs.filter(run => run.status === status).length
  const suspended = count('suspended')
  const answer = suspended === 0 ? '' : '; parley approve lists what they wait for'
  return `${redactDatabase(database)}: ${runs.length} runs, ${count('running')} running, ${suspended} suspended${answer}`
}

async function checkModel(flags: AgentFlags): Promise<string> {
  const { chooseModel } = await import('../../compose/choose-model.ts')
  const model = await chooseModel(flags)
  if (model.provider === 'demo') return 'the offline demo model; set OPENAI_API_KEY for a real one'
  if (VENDORS.has(model.provider)) return `${model.provider}/${model.id}: its key is set; no request was sent`
  const { createOpenAI } = await import('@parley/openai')
  const baseUrl = flags.baseUrl ?? process.env['OPENAI_BASE_URL']
  const server = createOpenAI({
    ...(baseUrl ? { baseUrl } : {}),
    retry: { maxRetries: 0 },
    timeouts: { connectMs: 5_000 },
  })
  const models = await server.listModels({ signal: AbortSignal.timeout(10_000) })
  const known = models.some(({ id }) => id === model.id)
  return `${model.provider}/${model.id}: the server lists ${countOf(models.length, 'model')}${known ? '' : ', but not this one'}`
}

async function checkAgent(flags: DoctorFlags): Promise<string> {
  const { openComposition } = await import('../../compose/open-composition.ts')
  await using composition = await openComposition({ ...flags, model: 'demo' }, ':memory:')
  const run = composition.runtime.run('assistant', 'hello')
  const omitted: string[] = []
  for await (const event of run) if (event.type === 'tool.omitted') omitted.push(describeError(event.error))
  const result = await run.result
  if (result.status === 'failed' || result.status === 'interrupted') throw new Error(describeError(result.error))
  if (omitted.length > 0)
    throw new Error(
      `A run completes without ${omitted.length} of the tools, whose schemas cannot be used. ${omitted.join(' ')}`,
    )
  return `the tools load${flags.mcp === undefined ? '' : `, the MCP servers of ${flags.mcp} start`}, a run completes`
}
