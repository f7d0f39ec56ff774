import { createId } from '@parley/core'
import { readMessage } from '../chat/read-message.ts'
import { toMessage } from '../chat/to-message.ts'
import { readLines } from '../input/read-stdin.ts'
import { explainFailure } from '../render/explain-failure.ts'
import { converse } from './converse.ts'
import type { RemoteOptions } from './remote-options.ts'
import { toAgentRequest, type AgentRequestOptions } from './to-agent-request.ts'

const HELP = `/help              lists these commands
/new               starts a new session
/agent NAME        lets another agent of the server answer from now on
/quit              ends the chat; so do /exit, Ctrl-D, and Ctrl-C at the prompt

@path adds a file or an image. A line that ends with \\ continues. Esc stops an answer.`

/** Chats with the agent of a server, line by line without a terminal. */
export async function remoteChat(options: RemoteOptions, given: AgentRequestOptions): Promise<void> {
  const { terminal, server } = options
  const chat = { agent: given.agent, sessionId: given.sessionId ?? createId(Date.now()) }
  const always = new Set<string>()
  terminal.out(`${server} · session ${chat.sessionId} · ${terminal.isInteractive ? '/help' : '/exit ends the chat'}\n`)
  for await (const text of terminal.isInteractive ? messages(options) : readLines(process.stdin)) {
    if (text.trim() === '') continue
    const [, name, argument = ''] = /^\/(\w+)\s*(.*)$/.exec(text.trim()) ?? []
    if (name === 'quit' || name === 'exit') return
    if (name === 'help') terminal.out(`${HELP}\n`)
    else if (name === 'agent' && argument !== '') {
      chat.agent = argument
      terminal.out(`agent ${argument}\n`)
    } else if (name === 'new') {
      chat.sessionId = createId(Date.now())
      terminal.out(`session ${chat.sessionId}\n`)
    } else if (name !== undefined)
      terminal.error(`parley: A chat with a server has no command /${name}. /help lists those that it has.\n`)
    else await ask(text, chat, { options, always })
  }
}

async function* messages({ terminal }: RemoteOptions): AsyncGenerator<string> {
  for (;;) {
    const text = await readMessage(terminal.style('bold', '> '), terminal)
    if (text === undefined) return
    yield text
  }
}

interface Asking {
  readonly options: RemoteOptions
  readonly always: Set<string>
}

async function ask(text: string, chat: AgentRequestOptions, { options, always }: Asking): Promise<void> {
  const { client, terminal, command, server } = options
  try {
    await converse(await client.process(toAgentRequest(toMessage(text), chat)), options, always)
  } catch (error) {
    const problem = explainFailure(error, { command, place: ` --server ${server}` })
    if (problem === undefined) throw error
    terminal.error(`parley: ${problem}\n`)
  }
}
