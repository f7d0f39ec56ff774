import type { Instruction } from './build-program.ts'
import { spend, type Work } from './work.ts'

/**
 * The instructions that a state needs next: those that read a character, once the conditions of the position (its
 * context) are known.
 */
interface Stop {
  readonly accepts: boolean
  readonly characters: readonly number[]
  /** Next states by code point, as far as they are known. */
  readonly ascii: (State | undefined)[]
  readonly others: Map<number, State>
}

/** The instructions that a character leads to, with the stop that follows from them in each context. */
interface State {
  readonly entries: readonly number[]
  readonly stops: Map<number, Stop>
  /** The context that was asked for last, and its stop. */
  context: number
  stop: Stop | undefined
}

const MOST_STOPS = 1_000
const MOST_OTHERS = 1_000

/**
 * Runs a program over characters in linear time. It follows all alternatives of the pattern at the same time, and keeps
 * the sets of instructions that it has seen, so that most characters take one look-up.
 */
export class Automaton {
  readonly #instructions: readonly Instruction[]
  readonly #start: number
  /** Whether a match may begin after the first character. */
  readonly #searches: boolean
  readonly #seen: Int32Array
  #generation = 0
  #stops = 0
  #states = new Map<string, State>()
  readonly initial: State

  constructor(instructions: readonly Instruction[], start: number, searches: boolean) {
    this.#instructions = instructions
    this.#start = start
    this.#searches = searches
    this.#seen = new Int32Array(instructions.length)
    this.initial = stateOf([start])
  }

  /** Returns the instructions that a state reaches in a context. They are computed once per state and context. */
  stop(state: State, context: number, work: Work): Stop {
    if (state.context === context && state.stop !== undefined) return state.stop
    const stop = state.stops.get(context) ?? this.#resolve(state, context, work)
    state.context = context
    state.stop = stop
    return stop
  }

  /** Whether no further character can lead to a match. */
  isDead(stop: Stop): boolean {
    return stop.characters.length === 0 && !this.#searches
  }

  next(stop: Stop, codePoint: number, work: Work): State {
    const known = codePoint < 128 ? stop.ascii[codePoint] : stop.others.get(codePoint)
    return known ?? this.#advance(stop, codePoint, work)
  }

  #resolve(state: State, context: number, work: Work): Stop {
    this.#generation++
    let accepts = false
    const characters: number[] = []
    const open = [...state.entries]
    let steps = 20
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      steps++
      const instruction = this.#instructions[at]
      if (this.#seen[at] === this.#generation || instruction === undefined) continue
      this.#seen[at] = this.#generation
      if (instruction.type === 'match') accepts = true
      else if (instruction.type === 'character') characters.push(at)
      else if (instruction.type === 'split') {
        for (const target of instruction.next) open.push(target)
        steps += instruction.next.length
      } else if (instruction.test.holds(context)) open.push(instruction.next)
    }
    spend(work, steps)
    // A pattern can have exponentially many states. Those in use stay reachable for this run.
    if (++this.#stops > MOST_STOPS) this.#forget()
    const stop = { accepts, characters, ascii: [], others: new Map<number, State>() }
    state.stops.set(context, stop)
    return stop
  }

  #advance(stop: Stop, codePoint: number, work: Work): State {
    spend(work, 20 + 2 * stop.characters.length)
    const reached = new Set<number>(this.#searches ? [this.#start] : [])
    for (const at of stop.characters) {
      const instruction = this.#instructions[at]
      if (instruction?.type === 'character' && instruction.test(codePoint)) reached.add(instruction.next)
    }
    const entries = Int32Array.from(reached).sort()
    const key = entries.join()
    let state = this.#states.get(key)
    if (state === undefined) {
      state = stateOf([...entries])
      this.#states.set(key, state)
    }
    if (codePoint < 128) stop.ascii[codePoint] = state
    else if (stop.others.size < MOST_OTHERS) stop.others.set(codePoint, state)
    return state
  }

  #forget(): void {
    for (const state of [...this.#states.values(), this.initial]) {
      state.stops.clear()
      state.stop = undefined
    }
    this.#states = new Map()
    this.#stops = 0
  }
}

function stateOf(entries: readonly number[]): State {
  return { entries, stops: new Map(), context: 0, stop: undefined }
}
