import type { Message, MessageGroup, ViewPart } from '@parley/core'

/** Consecutive messages of the transcript, from position `from`. Messages that a policy wrote have no position. */
export interface Stretch {
  readonly messages: readonly Message[]
  readonly from: number | undefined
}

/**
 * A group that knows its position in the transcript. A copy that a policy changes loses the position. A `WeakMap` would
 * be slower (bench: tricks placed-group).
 */
class PlacedGroup implements MessageGroup {
  readonly messages: readonly Message[]
  readonly runsAgo: number
  readonly #from: number | undefined

  constructor(messages: readonly Message[], runsAgo: number, from: number | undefined) {
    this.messages = messages
    this.runsAgo = runsAgo
    this.#from = from
  }

  static from(group: MessageGroup): number | undefined {
    return #from in group ? group.#from : undefined
  }
}

/** Groups each answer with the results of its calls. `runStarts` tells how many runs ago a message was appended. */
export function groupMessages(stretches: readonly Stretch[], runStarts: readonly number[]): MessageGroup[] {
  const groups: MessageGroup[] = []
  for (const { messages, from } of stretches) {
    let run = 0
    for (let index = 0; index < messages.length;) {
      let to = index + 1
      while (messages[to]?.role === 'tool') to++
      const members = messages.slice(index, to)
      if (from === undefined) groups.push(new PlacedGroup(members, 0, undefined))
      else {
        while ((runStarts[run] ?? Infinity) <= from + index) run++
        groups.push(new PlacedGroup(members, runStarts.length - run, from + index))
      }
      index = to
    }
  }
  return groups
}

/** Returns the position of a group in the transcript. `undefined` for a group that a policy wrote. */
export function placeOf(group: MessageGroup): number | undefined {
  return PlacedGroup.from(group)
}

/** The parts of a view of these groups. A group without a position is stored in full. */
export function toParts(groups: readonly MessageGroup[]): ViewPart[] {
  const parts: ViewPart[] = []
  for (const group of groups) {
    const { messages } = group
    const from = placeOf(group)
    const last = parts.at(-1)
    if (from === undefined) {
      if (last?.type === 'written') last.messages.push(...messages)
      else parts.push({ type: 'written', messages: [...messages] })
    } else if (last?.type === 'kept' && last.to === from) last.to += messages.length
    else parts.push({ type: 'kept', from, to: from + messages.length })
  }
  return parts
}
