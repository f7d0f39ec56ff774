import type { Facts } from '../world/facts.ts'

/** A tool call, the same in each process that works on its run. */
export interface MarkedCall {
  /** `run` and `callId`, joined by a slash. */
  readonly id: string
  readonly run: string
  readonly callId: string
  readonly tool: string
  readonly agent: string
  readonly effect: 'read' | 'idempotent' | 'once'
}

/** How the journal says that a call ended. */
export interface CallFate {
  readonly id: string
  /** Code of the error. Absent if the call succeeded. */
  readonly error?: string | undefined
  /** The result that the model reads. */
  readonly text: string
}

/** What a process writes down while it works on a run. Each mark is on the disk before the process continues. */
export type Mark =
  /** `begin`: as the process found the world. `loaded`: after the module of the agents has loaded. */
  | { readonly type: 'begin' | 'loaded'; readonly world: Facts }
  /** A run got its name within the tree. */
  | { readonly type: 'run'; readonly run: string; readonly runId: string }
  | { readonly type: 'append'; readonly run: string; readonly entries: readonly MarkedEntry[] }
  | {
      readonly type: 'call'
      readonly handler: 'execute' | 'reconcile'
      readonly call: MarkedCall
      readonly world: Facts
    }
  /** A handler gives control to a child run, and gets it back. */
  | { readonly type: 'pause' | 'continue'; readonly call: MarkedCall; readonly world: Facts }
  | {
      readonly type: 'return'
      readonly handler: 'execute' | 'reconcile'
      readonly call: MarkedCall
      /** Absent if the kill must not be delayed. */
      readonly world?: Facts | undefined
    }
  /** The program changed something. `isLate`: the handler of the call had returned. */
  | {
      readonly type: 'touch'
      readonly call?: MarkedCall | undefined
      readonly number: number
      readonly what: string
      readonly isLate: boolean
      /** Whether snapshots of the world cannot show it. */
      readonly isBlind: boolean
    }
  | { readonly type: 'kill' }
  | {
      readonly type: 'end'
      readonly status: string
      readonly fates: readonly CallFate[]
      readonly error?: string | undefined
    }
  /** The process has nothing left to do. */
  | { readonly type: 'settled'; readonly world: Facts }

export interface MarkedEntry {
  readonly seq: number
  readonly type: string
  readonly callId?: string | undefined
  readonly tool?: string | undefined
}
