import { describeError, toErrorInfo } from '@parley/core'
import type { Command } from 'commander'
import { withAgentFlags, withDatabase, type AgentFlags } from '../agent-flags.ts'
import { checkNode } from '../check-node.ts'
import { chooseModel } from '../choose-model.ts'
import { oneLine } from '../one-line.ts'
import { openComposition } from '../open-composition.ts'
import { openStore } from '../open-store.ts'
import { shownDatabase } from '../shown-database.ts'
import type { Terminal } from '../terminal.ts'

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
      'Checks Node.js, the database, the model, the tools and the MCP servers, and says what to do about each fault.',
    )
  withDatabase(withAgentFlags(command)).action(async (flags: DoctorFlags) => {
    const checks: readonly (readonly [string, () => Promise<string>])[] = [
      ['node', () => Promise.resolve(checkNode(process.versions.node) ?? `Node.js ${process.versions.node}`)],
      ['database', () => checkDatabase(flags.db)],
      ['model', () => checkModel(flags)],
      ['agent', () => checkAgent(flags)],
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
