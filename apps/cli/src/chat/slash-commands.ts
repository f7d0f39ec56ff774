import { createId, ParleyError } from '@parley/core'
import { countOf } from '../render/count-of.ts'
import { toCount } from '../flags/option-values.ts'
import { closestName } from '../render/closest-name.ts'
import { findRun } from '../store/read-run.ts'
import type { ChatSession } from './chat-session.ts'

/** A command of the chat. It begins with a slash. */
interface SlashCommand {
  readonly usage: string
  readonly about: string
  /** Runs the command. @returns Whether the chat ends. */
  run(chat: ChatSession, argument: string): Promise<boolean> | boolean
}

const SLASH_COMMANDS: Readonly<Record<string, SlashCommand>> = {
  help: { usage: '/help', about: 'lists these commands', run: chat => print(chat, helpText()) },
  model: {
    usage: '/model [ID]',
    about: 'shows the model, or uses another one from now on',
    async run(chat, id) {
      if (id !== '') await chat.useModel(id)
      return print(chat, `model ${chat.composition.model}`)
    },
  },
  agent: {
    usage: '/agent [NAME]',
    about: 'lists the agents, or lets another one answer from now on',
    run(chat, name) {
      const names = chat.composition.agents.map(agent => agent.name)
      if (name !== '' && !names.includes(name))
        throw new ParleyError({ code: 'agent-unknown', agent: name, known: names })
      if (name !== '') chat.useAgent(name)
      return print(chat, names.map(each => `${each === chat.agent ? '*' : ' '} ${each}`).join('\n'))
    },
  },
  new: {
    usage: '/new',
    about: 'starts a new session',
    run(chat) {
      chat.sessionId = createId(Date.now())
      chat.lastRunId = undefined
      return print(chat, `session ${chat.sessionId}`)
    },
  },
  resume: {
    usage: '/resume [RUN]',
    about: 'continues the session of a run, or the run if it is unfinished',
    async run(chat, wanted) {
      const { store, runtime } = chat.composition
      const { runId, sessionId, status } = await findRun(store, wanted === '' ? 'last' : wanted)
      chat.sessionId = sessionId
      chat.lastRunId = runId
      if (status === 'running') await chat.show(await runtime.resume(runId))
      const waiting = await chat.pending()
      if (waiting !== undefined) await chat.answer(waiting)
      return print(chat, `session ${sessionId}`)
    },
  },
  fork: {
    usage: '/fork ENTRY TEXT',
    about: 'starts a branch after an entry of the last run, with another message',
    async run(chat, argument) {
      const [, entry = '', input = ''] = /^(\S+)\s*([^]*)$/.exec(argument) ?? []
      const at = toCount(entry, '/fork')
      await chat.show(await chat.composition.runtime.fork(lastRun(chat), { at, input: input || undefined }))
      return false
    },
  },
  compact: {
    usage: '/compact [TOPIC]',
    about: 'summarizes the session, so that less is sent to the model',
    async run(chat, focus) {
      const [{ summarize }, { defineAgent }] = await Promise.all([
        import('@parley/context-policies'),
        import('@parley/engine'),
      ])
      const { runtime, agents, agent: first } = chat.composition
      const current = agents.find(({ name }) => name === chat.agent) ?? first
      const agent = defineAgent({ ...current, context: summarize({ keepRecentTurns: 4, focus: focus || undefined }) })
      await chat.show(await runtime.compact(chat.sessionId, { agent }))
      return false
    },
  },
  cost: {
    usage: '/cost',
    about: 'shows what this chat has used',
    run(chat) {
      const { runs, tokens, usd, isCostKnown } = chat.used
      const cost = isCostKnown ? `$${usd.toFixed(4)}` : 'cost unknown'
      return print(chat, `${countOf(runs, 'run')} · ${countOf(tokens, 'token')} · ${cost}`)
    },
  },
  approve: {
    usage: '/approve',
    about: 'asks again what the last run waits for',
    async run(chat) {
      lastRun(chat)
      const waiting = await chat.pending()
      if (waiting === undefined) return print(chat, 'The last run waits for nothing.')
      await chat.answer(waiting)
      return false
    },
  },
  tools: {
    usage: '/tools',
    about: 'lists the tools of the agent',
    run(chat) {
      const { agents, agent: first } = chat.composition
      const { tools = [] } = agents.find(({ name }) => name === chat.agent) ?? first
      return print(chat, tools.map(tool => (typeof tool === 'string' ? tool : tool.name)).join('\n') || 'no tools')
    },
  },
  quit: { usage: '/quit', about: 'ends the chat; so do /exit, Ctrl-D, and Ctrl-C at the prompt', run: () => true },
  exit: { usage: '/exit', about: '', run: () => true },
}

/** Runs a line that begins with a slash. @returns Whether the chat ends. @throws ParleyError if it fails. */
export async function runSlashCommand(chat: ChatSession, line: string): Promise<boolean> {
  const [, name = '', argument = ''] = /^\/(\S*)\s*([^]*)$/.exec(line.trim()) ?? []
  const command = Object.hasOwn(SLASH_COMMANDS, name) ? SLASH_COMMANDS[name] : undefined
  if (command !== undefined) return command.run(chat, argument.trim())
  const closest = closestName(name, Object.keys(SLASH_COMMANDS))
  const hint = closest === undefined ? '/help lists the commands.' : `Did you mean /${closest}?`
  return print(chat, `There is no command /${name}. ${hint}`)
}

function helpText(): string {
  const listed = Object.values(SLASH_COMMANDS).filter(({ about }) => about !== '')
  const lines = listed.map(({ usage, about }) => `${usage.padEnd(18)} ${about}`)
  return [...lines, '', '@path adds a file or an image. A line that ends with \\ continues. Esc stops an answer.'].join(
    '\n',
  )
}

function lastRun({ lastRunId }: ChatSession): string {
  if (lastRunId !== undefined) return lastRunId
  throw new ParleyError({
    code: 'config-invalid',
    path: 'run',
    detail: 'this chat has no run yet; ask something first',
  })
}

function print({ options: { terminal } }: ChatSession, text: string): false {
  terminal.out(`${text}\n`)
  return false
}
