import { text } from 'node:stream/consumers'
import { ParleyError } from '@parley/core'
import type { Command } from 'commander'
import { inputOption, isPromptyFile } from '../flags/prompty-inputs.ts'
import { toMetadata, withAgentFlags, withConfigFlag, withDatabase, type AgentFlags } from '../flags/agent-flags.ts'
import { openComposition } from '../compose/open-composition.ts'
import { showRun } from '../render/show-run.ts'
import type { Terminal } from '../render/terminal.ts'
import { withChosenAgent } from '../compose/with-chosen-agent.ts'

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
    .usage('[options] [agent] <question>')
    .argument('<question>', "the question, or a .prompty file; '-' reads the question from standard input")
    .argument('[question-to-agent]', 'the question, where the first argument names an agent of --config')
  withDatabase(withAgentFlags(withConfigFlag(command)))
    .addOption(inputOption())
    .option('-s, --session <id>', 'session to go on with (default: a new one)')
    .option('--json', 'print every event as a line of JSON')
    .option('-q, --quiet', 'print the answer alone')
    .action(async (first: string, second: string | undefined, flags: RunFlags) => {
      const named = { ...flags, command: program.name() }
      process.exitCode =
        second === undefined
          ? await runQuestion(first, named, terminal)
          : await runQuestion(second, { ...named, agent: first }, terminal)
    })
}

interface NamedRunFlags extends RunFlags {
  readonly command: string
}

async function runQuestion(question: string, flags: NamedRunFlags, terminal: Terminal): Promise<number> {
  if (flags.agent !== undefined && flags.config === undefined) {
    const detail = `'${flags.agent}' would be the name of an agent; that needs --config. Put the question in quotes.`
    throw new ParleyError({ code: 'config-invalid', path: 'agent', detail })
  }
  if (isPromptyFile(question)) {
    const { promptyQuestion } = await import('../compose/prompty-question.ts')
    return runAgent(await promptyQuestion(question, flags.input), { ...flags, prompty: question }, terminal)
  }
  if (flags.input !== undefined)
    throw new ParleyError({ code: 'config-invalid', path: '--input', detail: 'is for .prompty files' })
  const input = question === '-' ? await text(process.stdin) : question
  if (input.trim() === '') throw new ParleyError({ code: 'config-invalid', path: 'question', detail: 'is empty' })
  return runAgent(input, flags, terminal)
}

async function runAgent(input: string, given: NamedRunFlags, terminal: Terminal): Promise<number> {
  await using composition = await openComposition(given, given.db)
  const flags = withChosenAgent(given, composition)
  const { session: sessionId, json, quiet, db, command } = flags
  const run = composition.runtime.run(composition.agent.name, input, { sessionId, metadata: toMetadata(flags) })
  const mode = json === true ? 'json' : quiet === true ? 'quiet' : 'text'
  return await showRun(run, terminal, { mode, database: db, command })
}
