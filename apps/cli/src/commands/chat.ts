import { createInterface } from 'node:readline/promises'
import { createId, ParleyError } from '@parley/core'
import type { Command } from 'commander'
import { openComposition, type Composition } from '../compose/open-composition.ts'
import { withChosenAgent } from '../compose/with-chosen-agent.ts'
import { toMetadata, withAgentFlags, withConfigFlag, type AgentFlags } from '../flags/agent-flags.ts'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { withSessionFlag } from '../flags/run-flags.ts'
import { showRun } from '../render/show-run.ts'
import type { Terminal } from '../render/terminal.ts'

interface ChatFlags extends AgentFlags {
  readonly db: string
  readonly session?: string
}

/** Adds the command `parley chat`. */
export function addChatCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('chat')
    .summary('chat with an agent')
    .description(
      'Chats with an agent, one line at a time, in one session. Ctrl-C cancels an answer. /exit, Ctrl-D, or Ctrl-C at the ' +
        'prompt ends the chat.',
    )
    .argument('[agent]', 'name of an agent in the --config file; required if the file has several')
  withSessionFlag(withDatabaseFlag(withAgentFlags(withConfigFlag(command)))).action(
    async (agent: string | undefined, given: ChatFlags) => {
      if (agent !== undefined && given.config === undefined)
        throw new ParleyError({ code: 'config-invalid', path: 'agent', detail: `'${agent}' requires --config` })
      const flags = { ...given, agent }
      await using composition = await openComposition(flags, flags.db)
      await chat(composition, { ...withChosenAgent(flags, composition), command: program.name() }, terminal)
    },
  )
}

interface NamedChatFlags extends ChatFlags {
  readonly command: string
}

async function chat({ runtime, agent, model }: Composition, flags: NamedChatFlags, terminal: Terminal): Promise<void> {
  const sessionId = flags.session ?? createId(Date.now())
  terminal.out(`${model} · session ${sessionId} · /exit ends the chat\n`)
  const prompt = terminal.columns === undefined ? '' : terminal.style('bold', '> ')
  for await (const line of lines(prompt)) {
    const input = line.trim()
    if (input === '/exit') break
    if (input === '') continue
    const run = runtime.run(agent.name, input, { sessionId, metadata: toMetadata(flags) })
    await showRun(run, terminal, { mode: 'text', database: flags.db, command: flags.command })
  }
}

/** Reads lines. On a terminal, the reader is closed during an answer, so that Ctrl-C reaches the run. */
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
