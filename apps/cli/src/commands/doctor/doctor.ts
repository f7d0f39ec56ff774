import { describeError, ParleyError, toErrorInfo } from '@parley/core'
import type { Command } from 'commander'
import { withAgentFlags, withDatabase, type AgentFlags } from '../../flags/agent-flags.ts'
import { checkNode } from '../../check-node.ts'
import { chooseModel } from '../../compose/choose-model.ts'
import { oneLine } from '../../render/one-line.ts'
import { openComposition } from '../../compose/open-composition.ts'
import { openStore } from '../../store/open-store.ts'
import { probeAnswer, probeTools } from './probe-model.ts'
import { shownDatabase } from '../../store/shown-database.ts'
import type { Terminal } from '../../render/terminal.ts'

const VENDORS = new Set(['anthropic', 'google', 'ollama'])

interface DoctorFlags extends AgentFlags {
  readonly db: string
}

/** `parley doctor` */
export function addDoctorCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('doctor')
    .summary('check that everything is in place')
    .description(
      'Checks Node.js, the database, the model, the tools and the MCP servers, and says what to do about each fault. ' +
        'With --base-url, finds out which quirk profile fits the server and asks its model twice, in a few words.',
    )
  withDatabase(withAgentFlags(command)).action(async (flags: DoctorFlags) => {
    const checks: readonly (readonly [string, () => Promise<string>])[] = [
      ['node', () => Promise.resolve(checkNode(process.versions.node) ?? `Node.js ${process.versions.node}`)],
      ['database', () => checkDatabase(flags.db)],
      ['model', () => checkModel(flags)],
      ['agent', () => checkAgent(flags)],
      ...(flags.baseUrl === undefined ? [] : serverChecks(flags.baseUrl, flags.model)),
    ]
    let faults = 0
    for (const [name, check] of checks) {
      const { ok, words } = await outcomeOf(check)
      if (!ok) faults++
      const mark = ok ? terminal.style('green', 'ok   ') : terminal.style('red', 'fault')
      terminal.out(`${mark} ${name.padEnd(9)} ${oneLine(words, 400)}\n`)
    }
    process.exitCode = faults === 0 ? 0 : 2
  })
}

/** Who the server is, and whether its model does what agents need of it. What is found first serves the checks after it. */
function serverChecks(
  baseUrl: string,
  model: string | undefined,
): readonly (readonly [string, () => Promise<string>])[] {
  const identity = (async () => {
    const { createOpenAI, identifyServer, profileOfUrl, quirkProfiles } = await import('@parley/openai')
    // A service that has a key of its own is not shown another's.
    const { keyVariable = 'OPENAI_API_KEY' } = quirkProfiles[profileOfUrl(baseUrl)]
    const apiKey = process.env[keyVariable] || undefined
    const server = await identifyServer({ baseUrl, apiKey })
    const named = model === 'demo' ? undefined : model
    const id = named ?? (process.env['OPENAI_MODEL'] || server.models[0]?.id)
    if (id === undefined)
      throw new ParleyError({
        code: 'config-invalid',
        path: '--model',
        detail: 'The server lists no models. Name one.',
      })
    const retry = { maxRetries: 0 }
    return { ...server, asked: createOpenAI({ baseUrl, apiKey, retry, quirks: server.profile }).model(id) }
  })()
  // Whoever awaits it first reports it; it must not be taken for a failure nobody handles before.
  identity.catch(() => undefined)
  return [
    [
      'server',
      async () => {
        const { profile, evidence, models } = await identity
        return `the quirk profile that fits is '${profile}' (${evidence}); it lists ${models.length} models`
      },
    ],
    ['answer', async () => probeAnswer((await identity).asked)],
    ['calls', async () => probeTools((await identity).asked)],
  ]
}

async function outcomeOf(check: () => Promise<string>): Promise<{ readonly ok: boolean; readonly words: string }> {
  try {
    return { ok: true, words: await check() }
  } catch (error) {
    return { ok: false, words: describeError(toErrorInfo(error)) }
  }
}

async function checkDatabase(database: string): Promise<string> {
  await using store = await openStore(database)
  const runs = await store.runs({ scope: 'default', limit: 10_000 })
  const open = runs.filter(run => run.status === 'running').length
  return `${shownDatabase(database)}: ${runs.length} runs, ${open} of them not ended`
}

async function checkModel(flags: AgentFlags): Promise<string> {
  const model = await chooseModel(flags)
  if (model.provider === 'demo') return 'the offline demo model; set OPENAI_API_KEY for a real one'
  if (VENDORS.has(model.provider)) return `${model.provider}/${model.id}: its key is set; it was not asked`
  const { createOpenAI } = await import('@parley/openai')
  const baseUrl = flags.baseUrl ?? process.env['OPENAI_BASE_URL']
  const server = createOpenAI({
    ...(baseUrl ? { baseUrl } : {}),
    retry: { maxRetries: 0 },
    timeouts: { connectMs: 5_000 },
  })
  const models = await server.listModels({ signal: AbortSignal.timeout(10_000) })
  const known = models.some(({ id }) => id === model.id)
  return `${model.provider}/${model.id}: the server answers with ${models.length} models${known ? '' : ', this one not among them'}`
}

async function checkAgent(flags: DoctorFlags): Promise<string> {
  await using composition = await openComposition({ ...flags, model: 'demo' }, ':memory:')
  const run = composition.runtime.run('assistant', 'hello')
  const result = await run.result
  if (result.status === 'failed' || result.status === 'interrupted') throw new Error(describeError(result.error))
  return `tools load${flags.mcp === undefined ? '' : `, the MCP servers of ${flags.mcp} start`}, a run completes`
}
