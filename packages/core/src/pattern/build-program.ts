import { ANCHOR_TESTS, FIRST_LOOK, MOST_LOOKS, type ContextTest } from './position-context.ts'
import { PatternFault, type CodePointTest, type PatternNode } from './pattern-node.ts'

/** A step of a nondeterministic automaton. Steps without a character are taken between two characters. */
export type Instruction =
  | { readonly type: 'character'; readonly test: CodePointTest; readonly next: number }
  | { readonly type: 'test'; readonly test: ContextTest; readonly next: number }
  | { readonly type: 'split'; readonly next: number[] }
  | { readonly type: 'match' }

/** A look-around, matched on its own before the pattern is. */
export interface Look {
  readonly ahead: boolean
  readonly start: number
}

/** A pattern as an automaton. */
export interface Program {
  readonly instructions: readonly Instruction[]
  readonly start: number
  /** The look-arounds of the pattern. Inner ones come before those that contain them. */
  readonly looks: readonly Look[]
}

/** Largest number of instructions of a pattern. Repetitions are unrolled, so a short pattern can need many instructions. */
const MOST_INSTRUCTIONS = 100_000

/** Checks the size of a pattern. @throws PatternFault if the pattern is too large for an automaton. */
export function checkSize(node: PatternNode): void {
  if (sizeOf(node) > MOST_INSTRUCTIONS)
    throw new PatternFault('repeats too much: its counts multiply to a large pattern')
  if (looksIn(node) > MOST_LOOKS) throw new PatternFault(`has more than ${MOST_LOOKS} look-arounds`)
}

export function buildProgram(node: PatternNode): Program {
  const instructions: Instruction[] = []
  const looks: Look[] = []
  const push = (instruction: Instruction): number => instructions.push(instruction) - 1

  /** Adds the instructions of a node that continue at `next`. Returns the first one. */
  function build(part: PatternNode, next: number, reversed: boolean): number {
    switch (part.type) {
      case 'character':
        return push({ type: 'character', test: part.test, next })
      case 'anchor':
        return push({ type: 'test', test: ANCHOR_TESTS[part.anchor], next })
      case 'sequence': {
        const order = reversed ? part.parts : part.parts.toReversed()
        return order.reduce((after, item) => build(item, after, reversed), next)
      }
      case 'choice':
        return push({ type: 'split', next: part.options.map(option => build(option, next, reversed)) })
      case 'repeat':
        return buildRepeat(part, next, reversed)
      case 'look':
        return push({ type: 'test', test: buildLook(part), next })
    }
  }

  function buildRepeat(node: PatternNode & { readonly type: 'repeat' }, next: number, reversed: boolean): number {
    const { part, min, max } = node
    let at = next
    if (max === Infinity) {
      const targets: number[] = []
      at = push({ type: 'split', next: targets })
      targets.push(build(part, at, reversed), next)
    } else {
      for (let count = min; count < max; count++) at = push({ type: 'split', next: [build(part, at, reversed), next] })
    }
    for (let count = 0; count < min; count++) at = build(part, at, reversed)
    return at
  }

  function buildLook({ ahead, negated, part }: PatternNode & { readonly type: 'look' }): ContextTest {
    // What follows a position is matched backwards, from the end of the text: one pass then answers for every position.
    const start = build(part, push({ type: 'match' }), ahead)
    const bit = FIRST_LOOK << (looks.push({ ahead, start }) - 1)
    return { bits: bit, holds: context => ((context & bit) !== 0) !== negated }
  }

  const start = build(node, push({ type: 'match' }), false)
  return { instructions, start, looks }
}

function sizeOf(node: PatternNode): number {
  switch (node.type) {
    case 'sequence':
      return node.parts.reduce((sum, part) => sum + sizeOf(part), 0)
    case 'choice':
      return node.options.reduce((sum, option) => sum + sizeOf(option), 1)
    case 'repeat':
      return (sizeOf(node.part) + 1) * (node.max === Infinity ? node.min + 1 : node.max)
    case 'look':
      return sizeOf(node.part) + 2
    case 'character':
    case 'anchor':
      return 1
  }
}

/**
 * Returns how many look-arounds the program gets. One inside a repetition counts once for each copy of the repeated
 * part.
 */
function looksIn(node: PatternNode): number {
  switch (node.type) {
    case 'sequence':
      return node.parts.reduce((sum, part) => sum + looksIn(part), 0)
    case 'choice':
      return node.options.reduce((sum, option) => sum + looksIn(option), 0)
    case 'repeat':
      return looksIn(node.part) * (node.max === Infinity ? node.min + 1 : node.max)
    case 'look':
      return looksIn(node.part) + 1
    case 'character':
    case 'anchor':
      return 0
  }
}
