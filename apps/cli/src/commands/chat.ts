import { createInterface } from 'node:readline/promises'
import { createId, ParleyError } from '@parley/core'
import type { Command } from 'commander'
import { toMetadata, withAgentFlags, withConfigFlag, withDatabase, type AgentFlags } from '../flags/agent-flags.ts'
import { openComposition, type Composition } from '../compose/open-composition.ts'
import { createRunRenderer } from '../render/render-run.ts'
import { reportFailure } from '../render/report-failure.ts'
import type { Terminal } from '../render/terminal.ts'
import { watchRun } from '../render/watch-run.ts'
import { withChosenAgent } from '../compose/with-chosen-agent.ts'

interface ChatFlags extends AgentFlags {
  readonly db: string
  readonly session?: string
}

/** `parley chat` */
export function addChatCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('chat')
    .summary('talk with an agent')
    .description(
      'Talks with an agent, line by line. Ctrl-C stops an answer; /exit, Ctrl-D or Ctrl-C at the prompt ends the talk.',
    )
    .argument('[agent]', 'the name of an agent of --config')
  withDatabase(withAgentFlags(withConfigFlag(command)))
    .option('-s, --session <id>', 'session to go on with (default: a new one)')
    .action(async (agent: string | undefined, given: ChatFlags) => {
      if (agent !== undefined && given.config === undefined)
        throw new ParleyError({ code: 'config-invalid', path: 'agent', detail: `'${agent}' needs --config` })
      const flags = { ...given, agent }
      await using composition = await openComposition(flags, flags.db)
      await chat(composition, { ...withChosenAgent(flags, composition), command: program.name() }, terminal)
    })
}

interface NamedChatFlags extends ChatFlags {
  readonly command: string
}

async function chat({ runtime, agent, model }: Composition, flags: NamedChatFlags, terminal: Terminal): Promise<void> {
  const sessionId = flags.session ?? createId(Date.now())
  terminal.out(`${model} · session ${sessionId} · /exit ends\n`)
  const prompt = terminal.columns === undefined ? '' : terminal.style('bold', '> ')
  for await (const line of lines(prompt)) {
    const input = line.trim()
    if (input === '/exit') break
    if (input === '') continue
    const run = runtime.run(agent.name, input, { sessionId, metadata: toMetadata(flags) })
    const result = await watchRun(
      run,
      createRunRenderer(terminal, { mode: 'text', database: flags.db, command: flags.command }),
    )
    reportFailure(result, terminal)
  }
}

/** Lines as they are typed. The reader is closed while an answer runs, so that Ctrl-C reaches the run. */
async function* lines(prompt: string): AsyncGenerator<string> {
  const isTerminal = process.stdin.isTTY
  if (!isTerminal) {
    yield* createInterface({ input: process.stdin })
    return
  }
  for (;;) {
    const reader = createInterface({ input: process.stdin, output: process.stdout })
    const ended = new Promise<undefined>(resolve => reader.once('close', () => resolve(undefined)))
    const line = await Promise.race([reader.question(prompt), ended])
    reader.close()
    if (line === undefined) return
    yield line
  }
}
