import type { Outcome } from '@parley/core'
import type { ChildOrder } from '../run-context/child-order.ts'
import type { BrokenChild } from '../steps/delegation/collect-children.ts'
import type { Suspended } from '../run-context/run.ts'

/** Nothing is left to do here: the run has ended, or waits for whoever goes on with it. */
export type Ending = Outcome | Suspended

/** A call of an answer that has no result yet. */
export interface OpenCall {
  readonly callId: string
  /** Of the tool. */
  readonly name: string
}

/** A call whose sub-agents the host is to run; when they have ended, `call` goes on with it. */
export interface LeftCall {
  readonly children: readonly ChildOrder[]
  /** How long the call may take. @default as long as its sub-agents do */
  readonly timeoutMs?: number | undefined
}

/** What became of a call while its sub-agents were run; how they have ended is in their journals. */
export interface CallNews {
  /** Sub-agents without an ending: their runs could not begin, or broke off. @default none */
  readonly broken?: readonly BrokenChild[] | undefined
  /** It took longer than it may: that is its result. @default false */
  readonly timedOut?: boolean | undefined
}

/** What a driver has to do, one step after another. */
export interface Steps {
  /**
   * Does the next thing the run asks for: a model call, the tools of an answer, … Answers with the ending when there is
   * nothing to do after it; undefined when the step is done already. Rejects when the store fails or another worker has the run.
   */
  take(): Promise<Ending | undefined> | undefined
  /**
   * The calls that the next step would run, for a host that gives each of them an operation of its own: those of a batch side
   * by side, one batch after the other, and then the next step. Undefined when that does something else. Only looks.
   */
  openCalls(): readonly (readonly OpenCall[])[] | undefined
  /**
   * Brings one call to its result, or to the question a person has to answer first, and makes that durable. Does nothing for
   * a call that has come so far, and skips one that was not begun when others were and steering waits. Rejects as `take` does.
   * @returns The sub-agents the call waits for, where the host runs those; undefined when there is nothing more to do for it now.
   */
  call(callId: string, news?: CallNews): Promise<LeftCall | undefined>
  /** Makes durable that a sub-agent which the host runs waits for a person, if it still does. Rejects as `take` does. */
  childAsks(runId: string): Promise<void>
  /** Whether every open call waits for a person, so that the next step is to ask. */
  readonly waits: boolean
  /** Makes what the last step recorded durable; else the next one does. Undefined when nothing has to be waited for. */
  commit(): Promise<void> | undefined
}

/**
 * Where and when the steps of a run are taken. The journal is the only truth about what they came to: a step that broke
 * off is decided anew by whoever resumes the run, so that a host may repeat what it is not sure of. A host that records what
 * `openCalls` said may run those calls in another attempt, too: what became of each is asked of the journal. What is recorded
 * about a step outlasts this process, so `commit` comes first.
 */
export interface DurableHost {
  /**
   * Whether it runs the calls of an answer itself, as `openCalls` and `call` have it. `take` then leaves them to it also within
   * a middleware's turn. @default false
   */
  readonly runsCalls?: boolean | undefined
  /**
   * Whether it also runs the sub-agents of such calls, as `LeftCall` has them: each as a run of its own that `Runtime.run` begins
   * as ordered, in any process. The handler of such a call is called again when they have ended, so that those go on within
   * their call which belong to a tool that must not repeat, have a signal of their own, or are not known by name. @default false
   */
  readonly runsChildren?: boolean | undefined
  /**
   * Takes steps until there is an ending, and resolves to that. Rejecting lets the run go: this process writes nothing
   * more of it, its handlers are stopped, and anybody may resume it.
   */
  drive(steps: Steps): Promise<Ending>
}

/** One step after the other, at once, in this process. */
export const inProcess: DurableHost = {
  async drive(steps) {
    for (;;) {
      const taking = steps.take()
      const ending = taking === undefined ? undefined : await taking
      if (ending !== undefined) return ending
    }
  },
}
