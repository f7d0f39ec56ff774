import type { RunCommand } from '../schema/run-command.ts'
import type { RunStatus } from './run-record.ts'
import type { StoreCallOptions } from './store-call-options.ts'

/** A command in a run's inbox. */
export interface InboxItem {
  /** Position among the run's commands, from 1, without gaps. */
  readonly position: number
  /** Id of the command, unique within the run. */
  readonly id: string
  /** Time at which the command was sent, in milliseconds since the epoch. */
  readonly at: number
  readonly command: RunCommand
}

/** A command to put into a run's inbox. */
export interface PutRequest extends Omit<InboxItem, 'position'> {
  readonly runId: string
}

/**
 * Passes commands to unfinished runs, even if another process drives them. The driver takes the commands in order. The
 * append that records the effect of a command also marks the command as taken (`JournalAppend.taken`). So each command
 * takes effect once, even if a process crashes. `describeStoreContract` of `@parley/testing/contract` tests every
 * promise made here.
 */
export interface RunInbox {
  /**
   * Adds a command to a run's inbox. A command with an id that the run has received before is not added again.
   * @returns The run's status at that moment. A suspended run has no driver that reads the inbox.
   * @throws ParleyError `run-unknown`, or `run-ended` if the run has ended.
   */
  put(item: PutRequest, options?: StoreCallOptions): Promise<RunStatus>
  /** Returns the commands that the run has not taken, oldest first. Empty for an unknown run. */
  read(runId: string, options?: StoreCallOptions): Promise<readonly InboxItem[]>
  /**
   * Calls `listener` with the id of each run whose inbox has commands that were not taken: now, and after each `put` of
   * any process. A notice may come late or twice. After the store was unavailable, notices resume without a new call.
   * The watch does not keep the process alive. Dispose the result to stop.
   */
  watch(listener: (runId: string) => void, options?: StoreCallOptions): Promise<AsyncDisposable>
}
