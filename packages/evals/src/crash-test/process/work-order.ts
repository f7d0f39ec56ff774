import type { CrashPoint } from '../points/crash-point.ts'

/** What one process does. It reads this from the file that `PARLEY_CRASH_ORDER` names. */
export interface WorkOrder {
  /** Path of the module with the agents. */
  readonly module: string
  /** `list` only names the agents of the module, and leaves an empty store. */
  readonly task: 'list' | 'run' | 'resume'
  /** File for the marks, or for the list of agents. */
  readonly out: string
  readonly agent: string
  readonly input: string
  readonly runId: string
  /** Path of the store. */
  readonly store: string
  /** The folder that the process runs in. */
  readonly folder: string
  /** The file that `ledger()` and the tools append to. */
  readonly ledger: string
  /** File with the answers of the model. The process writes it if it does not exist. */
  readonly tape: string
  readonly point?: CrashPoint | undefined
  /** The call after which the world is not looked at. */
  readonly unseen?: string | undefined
  /** Tool whose declared effect is replaced by `idempotent`. */
  readonly tried?: string | undefined
  /** Milliseconds by which the machine's time is later for the tools. */
  readonly laterMs: number
  /** Milliseconds after which the process gives up. */
  readonly timeoutMs: number
}

/** The agents of a module. */
export interface ModuleContents {
  readonly agents: readonly { readonly name: string; readonly inputs: readonly string[] }[]
  /** Whether the module says how its world looks: the world may then be shared by all processes. */
  readonly hasWorld: boolean
}
