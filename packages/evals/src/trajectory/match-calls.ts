import { includesJson } from './includes-json.ts'
import type { MadeCall } from './made-call.ts'

/** A wanted tool call: the name of the tool, or also fields that the arguments must have. */
export type WantedCall = string | { readonly name: string; readonly input?: unknown }

/**
 * How the calls of a run must relate to the wanted ones. `exact`: the same calls in the same order. `in-order`: the wanted ones in
 * this order, with others between them. `superset`: all wanted ones, in any order, and maybe others. `subset`: no others than the
 * wanted ones, each at most once.
 */
export type CallMatch = 'exact' | 'in-order' | 'superset' | 'subset'

/** Whether a call is a wanted one. */
export function isWanted(call: MadeCall, wanted: WantedCall): boolean {
  if (typeof wanted === 'string') return call.name === wanted
  return call.name === wanted.name && (wanted.input === undefined || includesJson(call.input, wanted.input))
}

/** Whether the calls relate to the wanted ones as `match` says. */
export function matchCalls(calls: readonly MadeCall[], wanted: readonly WantedCall[], match: CallMatch): boolean {
  switch (match) {
    case 'exact':
      return calls.length === wanted.length && wanted.every((want, index) => fits(calls[index], want))
    case 'in-order':
      return isInOrder(calls, wanted)
    case 'superset':
      return pairs(calls, wanted) === wanted.length
    case 'subset':
      return pairs(calls, wanted) === calls.length
  }
}

/** The calls as one line of text. */
export function showCalls(calls: readonly MadeCall[]): string {
  if (calls.length === 0) return 'no tool'
  return calls.map(({ name, input }) => `${name}(${JSON.stringify(input)})`).join(', ')
}

/** The wanted calls as one line of text. */
export function showWanted(wanted: readonly WantedCall[]): string {
  return wanted.map(want => (typeof want === 'string' ? want : `${want.name}(${showInput(want.input)})`)).join(', ')
}

function showInput(input: unknown): string {
  return input === undefined ? '' : JSON.stringify(input)
}

function fits(call: MadeCall | undefined, want: WantedCall): boolean {
  return call !== undefined && isWanted(call, want)
}

function isInOrder(calls: readonly MadeCall[], wanted: readonly WantedCall[]): boolean {
  let found = 0
  for (const call of calls) if (fits(call, wanted[found] ?? '')) found += 1
  return found === wanted.length
}

/** The largest number of pairs of a call and a wanted call that fits it, each in at most one pair. */
function pairs(calls: readonly MadeCall[], wanted: readonly WantedCall[]): number {
  // One call may fit several wanted ones, so the first fit is not always the right one: augmenting paths.
  const callOf = new Map<number, number>()
  const assign = (call: number, seen: Set<number>): boolean => {
    for (const [index, want] of wanted.entries()) {
      if (seen.has(index) || !fits(calls[call], want)) continue
      seen.add(index)
      const other = callOf.get(index)
      if (other !== undefined && !assign(other, seen)) continue
      callOf.set(index, call)
      return true
    }
    return false
  }
  return calls.filter((_, call) => assign(call, new Set())).length
}
