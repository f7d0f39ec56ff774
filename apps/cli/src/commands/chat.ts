import { createId, ParleyError } from '@parley/core'
import type { Command } from 'commander'
import type { Composition } from '../compose/open-composition.ts'
import { withChosenAgent } from '../compose/with-chosen-agent.ts'
import { toMetadata, withAgentFlags, withConfigFlag, type AgentFlags } from '../flags/agent-flags.ts'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { isOnServer, withServerFlag, type NamedServer, type ServerFlags } from '../flags/server-flag.ts'
import { withSessionFlag } from '../flags/run-flags.ts'
import { readLines } from '../input/read-stdin.ts'
import { presentRun } from '../ask/present-run.ts'
import { programName } from '../program/program-name.ts'
import { withExamples } from '../program/with-examples.ts'
import { onDatabase } from '../store/database.ts'
import type { Terminal } from '../render/terminal.ts'

interface ChatFlags extends AgentFlags, ServerFlags {
  readonly db: string
  readonly session?: string
}

/** Defines the command `parley chat`. */
export function defineChatCommand(command: Command, terminal: Terminal): void {
  command
    .description(
      'Chats with an agent in one session. In a terminal, /help lists the commands of the chat, Esc stops an answer, and ' +
        'Ctrl-D ends the chat. Without a terminal, each line of the input is a message.',
    )
    .argument('[agent]', 'name of an agent in the --config file or on the --server; required if the file has several')
  withServerFlag(command, ['session'])
  withSessionFlag(withDatabaseFlag(withAgentFlags(withConfigFlag(command)))).action(
    async (agent: string | undefined, given: ChatFlags) => {
      if (isOnServer(given)) return chatOnServer({ ...given, agent }, programName(command), terminal)
      if (agent !== undefined && given.config === undefined)
        throw new ParleyError({ code: 'config-invalid', path: 'agent', detail: `'${agent}' requires --config` })
      const flags = { ...given, agent }
      if (terminal.isInteractive) return openChat(flags, programName(command), terminal)
      const { openComposition } = await import('../compose/open-composition.ts')
      await using composition = await openComposition(flags, flags.db)
      await chat(composition, { ...withChosenAgent(flags, composition), command: programName(command) }, terminal)
    },
  )
  withExamples(command, [
    ['chat', 'chats with the default model'],
    ['chat --session tides', 'continues a session'],
    ['chat --config parley.yaml clerk', 'chats with an agent of a file'],
    ['chat --server https://agent.example', 'chats with the agent of a server'],
  ])
}

async function chatOnServer(flags: ChatFlags & NamedServer, command: string, terminal: Terminal): Promise<void> {
  const [{ openServerClient }, { remoteChat }] = await Promise.all([
    import('../remote/remote-options.ts'),
    import('../remote/remote-chat.ts'),
  ])
  const { agent, session: sessionId, server } = flags
  const options = { client: openServerClient(flags), server, terminal, mode: 'text', command } as const
  await remoteChat(options, { agent, sessionId })
}

interface NamedChatFlags extends ChatFlags {
  readonly command: string
}

async function chat({ runtime, agent, model }: Composition, flags: NamedChatFlags, terminal: Terminal): Promise<void> {
  const sessionId = flags.session ?? createId(Date.now())
  terminal.out(`${model} · session ${sessionId} · /exit ends the chat\n`)
  for await (const line of readLines(process.stdin)) {
    const input = line.trim()
    if (input === '/exit') break
    if (input === '') continue
    const run = runtime.run(agent.name, input, { sessionId, metadata: toMetadata(flags) })
    await presentRun(run, terminal, { runtime, mode: 'text', place: onDatabase(flags.db), command: flags.command })
  }
}

/** Chats at a terminal, where the first agent of a file answers if none is named. `/agent` chooses another one. */
async function openChat(flags: ChatFlags, command: string, terminal: Terminal): Promise<void> {
  const [{ openComposition }, { interactiveChat }] = await Promise.all([
    import('../compose/open-composition.ts'),
    import('../chat/interactive-chat.ts'),
  ])
  const composition = await openComposition(flags, flags.db)
  const chosen = flags.config === undefined ? flags : { ...flags, agent: composition.agent.name }
  const { db: database, session: sessionId } = flags
  await interactiveChat(composition, { flags: chosen, database, command, terminal, sessionId })
}
