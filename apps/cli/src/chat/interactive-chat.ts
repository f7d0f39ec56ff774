import { explainFailure } from '../render/explain-failure.ts'
import type { Composition } from '../compose/open-composition.ts'
import { onDatabase } from '../store/database.ts'
import { ChatSession, type ChatOptions } from './chat-session.ts'
import { readMessage } from './read-message.ts'
import { runSlashCommand } from './slash-commands.ts'
import { toMessage } from './to-message.ts'

/** Chats at the terminal of this process until the user leaves. Closes the composition. */
export async function interactiveChat(composition: Composition, options: ChatOptions): Promise<void> {
  await using chat = new ChatSession(composition, options)
  const { terminal, command, database } = options
  const { style } = terminal
  terminal.out(
    `${style('bold', 'parley')} ${style('dim', `${composition.model} · session ${chat.sessionId} · /help`)}\n`,
  )
  for (;;) {
    const text = await readMessage(style('bold', '> '), terminal)
    if (text === undefined) return
    if (text.trim() === '') continue
    try {
      if (/^\/\w/.test(text)) {
        if (await runSlashCommand(chat, text)) return
      } else if ((await chat.pending()) === undefined) await chat.show(chat.start(toMessage(text)))
      else
        terminal.error('parley: The last run waits for an answer. /approve asks again; /new starts another session.\n')
    } catch (error) {
      const problem = explainFailure(error, { command, place: onDatabase(database) })
      if (problem === undefined) throw error
      terminal.error(`parley: ${problem}\n`)
    }
  }
}
