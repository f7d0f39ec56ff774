import type { ContextView, Message, MessageGroup } from '@parley/core'
import { isSystemGroup } from '@parley/core/context'
import { cutLines } from './text/cut-lines.ts'
import { requestFor, turnsOf, unreadTurns, type Turn } from './turns.ts'

export interface LayoutOptions {
  /** Largest number of tokens in the whole call. */
  readonly maxTokens: number
  readonly maxContextTokens: number
  readonly scope: number | 'token-budget'
  readonly keepFirstTurns: number
  readonly keepRecentTurns: number
  readonly maxSummaryTokens: number
  readonly toolOutputMaxLines: number
}

/** Which groups stay, and which groups the summaries replace. */
export interface Layout {
  /** Groups of the earlier runs that are in scope. */
  readonly earlier: Section
  readonly first: readonly MessageGroup[]
  /** Groups between the first and the recent turns. */
  readonly middle: Section
  readonly recent: readonly MessageGroup[]
  /** Tokens of the whole call if each summary has its maximum length. */
  readonly tokens: number
}

export interface Section {
  /** Groups that the summary of this section replaces. */
  readonly old: readonly MessageGroup[]
  /**
   * Groups that stay unchanged: system messages of the conversation, and the user's request that the recent turns
   * answer.
   */
  readonly kept: readonly MessageGroup[]
}

/**
 * Decides which turns stay: as many as the options ask for and the limit allows. If they are too many, recent turns are
 * summarized first, then the first turns. Turns that the model has not read yet always stay.
 */
export function layOut(view: ContextView, options: LayoutOptions): Layout {
  const { maxTokens, keepFirstTurns, keepRecentTurns, maxSummaryTokens } = options
  const { log } = view
  const turns = turnsOf(log.filter(({ runsAgo = 0 }) => runsAgo === 0))
  const earlier = inScope(view, log, options)
  const least = unreadTurns(turns)
  let first = Math.min(keepFirstTurns, turns.length - least)
  let recent = Math.max(Math.min(keepRecentTurns, turns.length - first), least)
  for (let cutNewest = false; ;) {
    const sections = split(turns, { earlier, first, recent, cutNewest, maxLines: options.toolOutputMaxLines })
    const stays = [...sections.earlier.kept, ...sections.first, ...sections.middle.kept, ...sections.recent]
    const tokens = view.fixedTokens + maxSummaryTokens + view.count(stays.flatMap(group => group.messages))
    if (tokens <= maxTokens || cutNewest) return { ...sections, tokens }
    if (recent > least) recent -= 1
    else if (first > 0) first -= 1
    else cutNewest = true
  }
}

interface SplitOptions {
  readonly earlier: readonly MessageGroup[]
  readonly first: number
  readonly recent: number
  /** Whether the newest turn's tool output is cut too. The model has not read it yet, so it is cut last. */
  readonly cutNewest: boolean
  readonly maxLines: number
}

function split(
  turns: readonly Turn[],
  { earlier, first, recent, cutNewest, maxLines }: SplitOptions,
): Omit<Layout, 'tokens'> {
  const start = turns.length - recent
  const newest = turns.slice(-1).flat()
  const cut = turns
    .slice(start, -1)
    .flat()
    .map(group => cutOutput(group, maxLines))
  const tail = [...cut, ...newest.map(group => (cutNewest ? cutOutput(group, maxLines) : group))]
  const between = turns.slice(first, start).flat()
  const request = requestFor(tail, between)
  const isKept = (group: MessageGroup): boolean => isSystemGroup(group) || group === request
  return {
    earlier: { old: earlier.filter(group => !isSystemGroup(group)), kept: earlier.filter(isSystemGroup) },
    first: turns.slice(0, first).flat(),
    middle: { old: between.filter(group => !isKept(group)), kept: between.filter(isKept) },
    recent: tail,
  }
}

function inScope(
  view: ContextView,
  log: readonly MessageGroup[],
  { scope, maxContextTokens }: LayoutOptions,
): readonly MessageGroup[] {
  const oldest = log[0]?.runsAgo ?? 0
  let runs = typeof scope === 'number' ? scope : 0
  if (scope === 'token-budget') {
    let tokens = 0
    while (runs < oldest) {
      const run = log.filter(({ runsAgo }) => runsAgo === runs + 1)
      tokens += view.count(run.flatMap(group => group.messages))
      if (tokens > maxContextTokens) break
      runs += 1
    }
  }
  return log.filter(({ runsAgo = 0 }) => runsAgo > 0 && runsAgo <= runs)
}

function cutOutput(group: MessageGroup, maxLines: number): MessageGroup {
  const messages = group.messages.map(message => cutMessage(message, maxLines))
  return messages.every((message, index) => message === group.messages[index]) ? group : { messages }
}

function cutMessage(message: Message, maxLines: number): Message {
  if (message.role !== 'tool') return message
  const content = message.content.map(part => {
    if (part.type !== 'text') return part
    const text = cutLines(part.text, maxLines)
    return text === part.text ? part : { ...part, text }
  })
  return content.every((part, index) => part === message.content[index]) ? message : { ...message, content }
}
