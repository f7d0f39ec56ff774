import type { RunCommand } from '../schema/run-command.ts'
import type { RunStatus } from './store.ts'

/** A command as it waits for the run it is for. */
export interface InboxItem {
  /** Its place among the run's items, from 1, without gaps. */
  readonly position: number
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly command: RunCommand
}

/**
 * Where anybody leaves word for an unfinished run, whichever process drives it. The driver takes items in their order,
 * each in the append that records what came of it (`JournalAppend.taken`): so it counts once, whoever dies when.
 * `describeStoreContract` in `@parley/testing/contract` checks every promise made here.
 */
export interface RunInbox {
  /**
   * Adds a command to a run's items; one whose id the run has been sent before is not added again.
   * @returns The run's status at that moment: nobody may be there to read it soon.
   * @throws ParleyError `run-unknown`, and `run-ended` for a run that takes nothing any more.
   */
  put(item: PutRequest): Promise<RunStatus>
  /** The items the run has not taken yet, oldest first. Empty for a run that does not exist. */
  read(runId: string): Promise<readonly InboxItem[]>
  /**
   * Calls `listener` with the id of each run that has items it has not taken: of those that do by now and of others when
   * something is put, whichever process did. May tell late or twice, and goes on by itself after the store was away.
   * Ends when what it answers with is disposed; keeps no process alive.
   */
  watch(listener: (runId: string) => void): Promise<AsyncDisposable>
}

export interface PutRequest {
  readonly runId: string
  /** Of the command. */
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly command: RunCommand
}
