import {
  createId,
  ParleyError,
  userMessage,
  type CancelReason,
  type Clock,
  type ErrorInfo,
  type RunCommand,
  type RunStatus,
  type Store,
  type UserMessage,
} from '@parley/core'
import { rootRun } from './root-run.ts'
import { checkDecision, findRequest } from '../run-context/commands.ts'
import type { DecidedApproval } from '../journal/decided-approval.ts'
import { followRun } from './follow-run.ts'
import { loadRun } from '../run-context/load-run.ts'
import type { ResumeRequest } from '../loop/resume-run.ts'
import type { RunHandle } from '../loop/run-handle.ts'
import type { Run } from '../run-context/run-result.ts'
import type { JournalReader } from './journal-reader.ts'

/** A run that this process resumes or ends. */
export interface IdleRequest extends Pick<ResumeRequest, 'runId' | 'decided' | 'cancel' | 'scope' | 'host' | 'parent'> {
  readonly force?: boolean | undefined
}

interface Named {
  readonly runId: string
  /** @default 'default' */
  readonly scope?: string | undefined
}

interface MessageRequest extends Named {
  readonly kind: 'steering' | 'follow-up'
  readonly message: string | UserMessage
}

interface CancelRequest extends Named {
  readonly reason?: CancelReason | undefined
}

interface DecideRequest extends Named, DecidedApproval, Pick<IdleRequest, 'host' | 'parent'> {
  readonly force?: boolean | undefined
  /** Aborting it cancels the run. */
  readonly signal?: AbortSignal | undefined
}

export interface RunCommandsParts {
  readonly store: Store | undefined
  readonly clock: Clock
  readonly journals: JournalReader
  /** Finds a run that this process drives. */
  readonly find: (runId: string) => RunHandle | undefined
  readonly resume: (request: IdleRequest, signal: AbortSignal | undefined) => Promise<Run>
}

/** Sends commands to unfinished runs, whichever process drives them. */
export class RunCommands {
  readonly #parts: RunCommandsParts

  constructor(parts: RunCommandsParts) {
    this.#parts = parts
  }

  /** Queues a message: in this process, or in the run's inbox. */
  async send({ kind, message, ...named }: MessageRequest): Promise<void> {
    const run = this.#here(named)
    if (run !== undefined) return kind === 'steering' ? run.steer(message) : run.followUp(message)
    await this.#parts.journals.record(named.runId, named.scope)
    const whole = typeof message === 'string' ? userMessage(message) : message
    await this.#put(named.runId, { type: 'message', kind, message: whole })
    return undefined
  }

  /** Cancels a run. A run that no process drives is ended here. */
  async cancel({ reason = { kind: 'user' }, ...named }: CancelRequest): Promise<Run> {
    const { journals, resume } = this.#parts
    const run = this.#here(named)
    if (run !== undefined) {
      void run.cancel(reason)
      return run
    }
    const { record } = await journals.record(named.runId, named.scope)
    const isSubAgent = record.relation === 'sub-agent'
    const end = (): Promise<Run | undefined> => unlessBusy(resume({ ...named, cancel: reason }, undefined))
    const ended = isSubAgent ? undefined : await end()
    if (ended !== undefined) return ended
    // The run is followed before the command is sent, so that its end is not missed.
    const followed = await this.#follow(named)
    const status = await this.#put(named.runId, { type: 'cancel', reason })
    // A suspended run has no driver, so no process reads its inbox.
    return (status === 'suspended' && !isSubAgent ? await end() : undefined) ?? followed
  }

  /** Decides, and resumes the run unless a process drives it. */
  async decide({ approvalId, decision, by, signal, ...named }: DecideRequest): Promise<Run> {
    const { journals, resume } = this.#parts
    if (this.#here(named) === undefined) await journals.record(named.runId, named.scope)
    const decided = { approvalId, decision, by }
    // The root run does not know the requests of a child run that is still running: `#tellDriver` finds them.
    const resumed = await unless(['run-busy', 'approval-unknown'], resume({ ...named, decided }, signal))
    return resumed ?? this.#tellDriver(named, decided)
  }

  async #tellDriver({ runId: asked, scope }: Named, decided: DecidedApproval): Promise<Run> {
    const { find, journals, resume } = this.#parts
    const runId = await this.#asking(asked, decided)
    const run = find(runId)
    if (run !== undefined) {
      await run.decide(decided)
      return run
    }
    const { store } = await journals.record(runId, scope)
    checkDecision(await loadRun(store, runId), { runId, ...decided })
    const followed = await this.#follow({ runId, scope })
    const { by, ...rest } = decided
    const status = await this.#put(runId, { type: 'decide', ...rest, ...(by === undefined ? {} : { by }) })
    // The run was suspended in the meantime: the process that resumes it finds the decision in the inbox.
    const resumed = status === 'suspended' ? await unlessBusy(resume({ runId, scope }, undefined)) : undefined
    return resumed ?? followed
  }

  /** The run whose journal has the request: the root run, or the child run itself while it is running. */
  async #asking(runId: string, decided: DecidedApproval): Promise<string> {
    const { find, store } = this.#parts
    const { approvalId } = decided
    for (const candidate of new Set([await rootRun(store, runId), runId])) {
      const local = find(candidate)
      if (local?.isWaitingFor(approvalId) === true) return candidate
      if (local !== undefined || store === undefined) continue
      if (findRequest(await loadRun(store, candidate), approvalId) !== undefined) return candidate
    }
    if (store !== undefined) checkDecision(await loadRun(store, runId), { runId, ...decided })
    throw new ParleyError({ code: 'approval-unknown', runId, approvalId })
  }

  /** The run, if this process drives it. */
  #here({ runId, scope = 'default' }: Named): RunHandle | undefined {
    const run = this.#parts.find(runId)
    return run?.scope === scope ? run : undefined
  }

  async #put(runId: string, command: RunCommand): Promise<RunStatus> {
    const { store, clock } = this.#parts
    const { inbox, name = 'none' } = store ?? {}
    if (inbox === undefined) {
      const detail = `'${name}' must have an inbox to reach the process that drives run '${runId}'`
      throw new ParleyError({ code: 'config-invalid', path: 'store', detail })
    }
    const at = clock.now()
    return inbox.put({ runId, id: createId(at), at, command })
  }

  async #follow({ runId, scope }: Named): Promise<Run> {
    const { clock, journals } = this.#parts
    const found = await journals.record(runId, scope)
    return followRun({
      ...found,
      clock,
      replay: options => journals.replay(runId, { scope, follow: true, ...options }),
      send: (kind, message) => this.send({ runId, scope, kind, message }),
      cancel: reason => this.cancel({ runId, scope, reason }),
    })
  }
}

/** Resolves to `undefined` if another process drives the run. */
const unlessBusy = (resuming: Promise<Run>): Promise<Run | undefined> => unless(['run-busy'], resuming)

async function unless(codes: readonly ErrorInfo['code'][], resuming: Promise<Run>): Promise<Run | undefined> {
  try {
    return await resuming
  } catch (error) {
    if (codes.some(code => ParleyError.is(error, code))) return undefined
    throw error
  }
}
