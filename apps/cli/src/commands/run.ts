import { ParleyError } from '@parley/core'
import type { Command } from 'commander'
import { withChosenAgent } from '../compose/with-chosen-agent.ts'
import { toMetadata, withAgentFlags, withConfigFlag, type AgentFlags } from '../flags/agent-flags.ts'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { inputOption, isPromptyFile } from '../flags/prompty-inputs.ts'
import { isOnServer, withServerFlag, type NamedServer, type ServerFlags } from '../flags/server-flag.ts'
import { readStdin } from '../input/read-stdin.ts'
import { modeOf, withNewRunFlags, type OutputFlags } from '../flags/run-flags.ts'
import { presentRun } from '../ask/present-run.ts'
import { programName } from '../program/program-name.ts'
import { withExamples } from '../program/with-examples.ts'
import { onDatabase } from '../store/database.ts'
import type { Terminal } from '../render/terminal.ts'

interface RunFlags extends AgentFlags, OutputFlags, ServerFlags {
  readonly db: string
  readonly session?: string
}

/** Defines the command `parley run "question"`. */
export function defineRunCommand(command: Command, terminal: Terminal): void {
  command
    .description(
      'Asks an agent one question. Prints the answer as it streams, the tool calls, the tokens and the cost.',
    )
    .usage('[options] [agent] <question>')
    .argument(
      '<question>',
      "the question, or the path of a .prompty file; '-' reads the question from standard input; the name of an agent, if a second argument follows",
    )
    .argument(
      '[question-to-agent]',
      'the question, if the first argument is the name of an agent in the --config file or on the --server',
    )
  withServerFlag(command, ['session', 'json', 'quiet'])
  withNewRunFlags(withDatabaseFlag(withAgentFlags(withConfigFlag(command))).addOption(inputOption())).action(
    async (first: string, second: string | undefined, flags: RunFlags) => {
      const named = { ...flags, command: programName(command) }
      process.exitCode =
        second === undefined
          ? await runQuestion(first, named, terminal)
          : await runQuestion(second, { ...named, agent: first }, terminal)
    },
  )
  withExamples(command, [
    ['run "What is 12 * 34?"', 'asks one question'],
    ['run -q --root src "What do these files do?"', 'prints only the answer'],
    ['run --config parley.yaml clerk "…"', 'asks an agent of a file'],
    ['run --server https://agent.example "…"', 'asks the agent of a server'],
  ])
}

interface NamedRunFlags extends RunFlags {
  readonly command: string
}

async function runQuestion(question: string, flags: NamedRunFlags, terminal: Terminal): Promise<number> {
  if (isOnServer(flags)) return askServer(question, flags, terminal)
  if (flags.agent !== undefined && flags.config === undefined) {
    const detail = `the agent name '${flags.agent}' requires --config; if it is part of the question, put the question in quotes`
    throw new ParleyError({ code: 'config-invalid', path: 'agent', detail })
  }
  if (isPromptyFile(question)) {
    const { promptyQuestion } = await import('../compose/prompty-question.ts')
    return runAgent(await promptyQuestion(question, flags.input), { ...flags, prompty: question }, terminal)
  }
  if (flags.input !== undefined)
    throw new ParleyError({ code: 'config-invalid', path: '--input', detail: 'requires a .prompty file' })
  return runAgent(await readQuestion(question), flags, terminal)
}

async function readQuestion(question: string): Promise<string> {
  const input = question === '-' ? await readStdin(process.stdin) : question
  if (input.trim() === '')
    throw new ParleyError({ code: 'config-invalid', path: 'question', detail: 'must not be empty' })
  return input
}

async function askServer(question: string, flags: NamedRunFlags & NamedServer, terminal: Terminal): Promise<number> {
  const [{ converse }, { openServerClient }, { toAgentRequest }] = await Promise.all([
    import('../remote/converse.ts'),
    import('../remote/remote-options.ts'),
    import('../remote/to-agent-request.ts'),
  ])
  const { agent, session: sessionId, server, command } = flags
  const client = openServerClient(flags)
  const message = { role: 'user' as const, content: [{ type: 'text' as const, text: await readQuestion(question) }] }
  const stream = await client.process(toAgentRequest(message, { agent, sessionId }))
  return (await converse(stream, { client, server, terminal, mode: modeOf(flags), command })).exitCode
}

async function runAgent(input: string, given: NamedRunFlags, terminal: Terminal): Promise<number> {
  const { openComposition } = await import('../compose/open-composition.ts')
  await using composition = await openComposition(given, given.db)
  const flags = withChosenAgent(given, composition)
  const { session: sessionId, db, command } = flags
  const run = composition.runtime.run(composition.agent.name, input, { sessionId, metadata: toMetadata(flags) })
  const { runtime } = composition
  return await presentRun(run, terminal, { runtime, mode: modeOf(flags), place: onDatabase(db), command })
}
