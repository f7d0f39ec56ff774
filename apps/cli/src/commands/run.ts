import { text } from 'node:stream/consumers'
import { ParleyError } from '@parley/core'
import type { Command } from 'commander'
import { inputOption, isPromptyFile } from '../prompty-inputs.ts'
import { toMetadata, withAgentFlags, withDatabase, type AgentFlags } from '../agent-flags.ts'
import { AGENT, openComposition } from '../open-composition.ts'
import { showRun } from '../show-run.ts'
import type { Terminal } from '../terminal.ts'

interface RunFlags extends AgentFlags {
  readonly db: string
  readonly session?: string
  readonly json?: boolean
  readonly quiet?: boolean
}

/** `parley run "question"` */
export function addRunCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('run')
    .summary('ask an agent one question')
    .description('Asks an agent one question and shows its work: text as it comes, tool calls, tokens and cost.')
    .argument('<question>', "the question, or a .prompty file; '-' reads the question from standard input")
  withDatabase(withAgentFlags(command))
    .addOption(inputOption())
    .option('-s, --session <id>', 'session to go on with (default: a new one)')
    .option('--json', 'print every event as a line of JSON')
    .option('-q, --quiet', 'print the answer alone')
    .action(async (question: string, flags: RunFlags) => {
      process.exitCode = await runQuestion(question, { ...flags, command: program.name() }, terminal)
    })
}

interface NamedRunFlags extends RunFlags {
  readonly command: string
}

async function runQuestion(question: string, flags: NamedRunFlags, terminal: Terminal): Promise<number> {
  if (isPromptyFile(question)) {
    const { promptyQuestion } = await import('../prompty-question.ts')
    return runAgent(await promptyQuestion(question, flags.input), { ...flags, prompty: question }, terminal)
  }
  if (flags.input !== undefined)
    throw new ParleyError({ code: 'config-invalid', path: '--input', detail: 'is for .prompty files' })
  const input = question === '-' ? await text(process.stdin) : question
  if (input.trim() === '') throw new ParleyError({ code: 'config-invalid', path: 'question', detail: 'is empty' })
  return runAgent(input, flags, terminal)
}

async function runAgent(input: string, flags: NamedRunFlags, terminal: Terminal): Promise<number> {
  await using composition = await openComposition(flags, flags.db)
  const { session: sessionId, json, quiet, db, command } = flags
  const run = composition.runtime.run(AGENT, input, { sessionId, metadata: toMetadata(flags) })
  const mode = json === true ? 'json' : quiet === true ? 'quiet' : 'text'
  return await showRun(run, terminal, { mode, database: db, command })
}
