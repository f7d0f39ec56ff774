import { calling } from '../__fixtures__/parts.ts'
import type { ScriptStep } from '@parley/testing'

/** A kind of run: what the model of its agent answers, and what makes the kind special. */
export interface Kind {
  readonly name: string
  /** Returns the answer of the model to a turn, counted from the start of the run. */
  readonly say: (turn: number) => ScriptStep
  /** How often this kind is chosen, relative to the other kinds. @default 1 */
  readonly weight?: number
  /** Largest number of model calls. @default 12 */
  readonly maxTurns?: number
  /** Largest number of tokens. One call has 15. @default 10_000 */
  readonly maxTokens?: number
  /** What the run does to the process or to the store. @default nothing */
  readonly poison?: 'kills its process' | 'cannot be written' | 'cannot be read'
  /** Whether its runs belong to a few sessions. @default each run has its own session */
  readonly inSession?: true
  /** Whether its requests are never decided, so that the run stays suspended. @default false */
  readonly isLeft?: true
}

/** Text of an answer that the store of a worker refuses to write. */
export const UNWRITABLE = 'This answer cannot be written.'

/** Returns the answers of a model: each turn calls the tools of one array, and the turn after the last array calls none. */
function turns(...names: readonly (readonly string[])[]): Kind['say'] {
  return turn => {
    const tools = names[turn]
    return tools === undefined ? 'All done.' : { ...stepOf(turn, tools), delayMs: 5 }
  }
}

function stepOf(turn: number, tools: readonly string[]) {
  const step = calling(turn, ...tools)
  return typeof step === 'string' ? { text: step } : step
}

/** Arguments that are nested so deeply that `JSON.stringify` overflows. */
const DEEP = `{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`

/** Text that a database may refuse: a NUL and half a surrogate pair. */
const ODD = 'NUL \0 and half a pair \uD83D.'

export const KINDS: readonly Kind[] = [
  { name: 'worker', weight: 4, say: turns(['look', 'put', 'pay'], ['pay', 'look'], ['put', 'pay']) },
  { name: 'signer', weight: 4, say: turns(['pay'], ['sign', 'look'], ['pay']) },
  { name: 'two-signatures', weight: 2, say: turns(['sign', 'pay', 'sign'], ['put']) },
  { name: 'client', weight: 3, say: turns(['pay'], ['ask_client', 'look'], ['put']) },
  { name: 'client-and-signature', weight: 2, say: turns(['ask_client', 'sign'], ['pay']) },
  { name: 'lead', weight: 3, say: turns(['help', 'pay'], ['help', 'help']) },
  { name: 'lead-of-signer', weight: 2, say: turns(['help_signing', 'look'], ['pay']) },
  { name: 'lead-of-client', weight: 1, say: turns(['help_client'], ['pay']) },
  { name: 'chat', weight: 3, inSession: true, say: turns(['pay']) },
  { name: 'slow', weight: 2, say: turns(['nap'], ['pay'], ['nap', 'look']) },
  { name: 'hurried', weight: 2, say: turns(['sign_soon'], ['pay']) },
  { name: 'failing', weight: 1, say: turns(['break', 'pay'], ['break']) },
  { name: 'spender', weight: 2, maxTurns: 6, say: turn => ({ ...stepOf(turn, ['look', 'pay']), delayMs: 5 }) },
  { name: 'greedy', weight: 1, maxTokens: 60, say: turn => ({ ...stepOf(turn, ['put']), delayMs: 5 }) },
  { name: 'left', isLeft: true, say: turns(['pay'], ['sign']) },
  {
    name: 'odd-text',
    say: turn => (turn === 0 ? { text: ODD, toolCalls: [{ name: 'put', callId: 'c0', input: { ODD } }] } : ODD),
  },
  { name: 'deep', say: () => ({ toolCalls: [{ name: 'put', callId: 'c0', arguments: DEEP }] }) },
  { name: 'killing-model', weight: 0.4, poison: 'kills its process', say: turns(['pay'], ['look']) },
  { name: 'killing-tool', weight: 0.4, say: turns(['pay'], ['kill']) },
  { name: 'lead-of-killer', weight: 0.4, say: turns(['help_killing'], ['pay']) },
  { name: 'unwritable', poison: 'cannot be written', say: turn => (turn === 1 ? UNWRITABLE : stepOf(turn, ['pay'])) },
  { name: 'unreadable', poison: 'cannot be read', say: turns(['pay'], ['nap'], ['pay']) },
]

/** Agents of child runs. */
export const HELPERS: readonly Kind[] = [
  { name: 'helper', say: turns(['pay', 'look'], ['put']) },
  { name: 'signing-helper', say: turns(['sign'], ['pay']) },
  { name: 'client-helper', say: turns(['ask_client'], ['pay']) },
  { name: 'killing-helper', poison: 'kills its process', say: turns(['pay'], ['look']) },
]

export const MAX_TURNS = 12
