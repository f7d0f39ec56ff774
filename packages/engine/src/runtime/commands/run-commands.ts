import {
  createId,
  ParleyError,
  userMessage,
  type CancelReason,
  type Clock,
  type ErrorInfo,
  type PutRequest,
  type RunStatus,
  type Store,
  type Submission,
  type UserMessage,
} from '@parley/core'
import { rootRun } from '../root-run.ts'
import { checkMessage } from '../../steps/input/check-message.ts'
import type { RunState } from '../../journal/run-state.ts'
import { checkDecision } from '../../run-context/requests/check-decision.ts'
import type { DecidedRequest } from '../../journal/decided-request.ts'
import { findClientCall } from '../../run-context/requests/find-client-call.ts'
import { awaitDecided, awaitGrowth } from './await-decided.ts'
import { followRun } from '../follow-run.ts'
import { loadRun } from '../../run-context/stored/load-run.ts'
import type { ResumeRequest } from '../../loop/resume-run.ts'
import type { RunHandle } from '../../loop/run-handle.ts'
import type { Run } from '../../run-context/run-result.ts'
import type { JournalReader } from '../journals/journal-reader.ts'

/** A run that this process resumes or ends. */
export interface IdleRequest extends Pick<ResumeRequest, 'runId' | 'decided' | 'cancel' | 'scope' | 'host' | 'parent'> {
  readonly force?: boolean | undefined
}

interface Named {
  readonly runId: string
  /** Scope of the run. @default 'default' */
  readonly scope?: string | undefined
}

interface MessageRequest extends Named {
  readonly kind: 'steering' | 'follow-up'
  readonly message: string | UserMessage
}

interface CancelRequest extends Named {
  readonly reason?: CancelReason | undefined
}

/** The result of a tool call that waits for the client. */
interface SubmitRequest extends Named, Pick<DecideRequest, 'by' | 'signal' | 'host' | 'parent' | 'force'> {
  readonly callId: string
  readonly submission: Submission
}

interface DecideRequest extends Named, DecidedRequest, Pick<IdleRequest, 'host' | 'parent' | 'force'> {
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
    checkMessage('message', message)
    const give = async (run: RunHandle): Promise<boolean> => {
      await (kind === 'steering' ? run.steer(message) : run.followUp(message))
      return true
    }
    if ((await this.#give(this.#here(named), give)) !== undefined) return
    await this.#parts.journals.record(named.runId, named.scope)
    const whole = typeof message === 'string' ? userMessage(message) : message
    await this.#put({ runId: named.runId, id: this.#newId(), command: { type: 'message', kind, message: whole } })
  }

  /** Cancels a run. A run that no process drives is ended here. Resolves when the cancel is durable. */
  async cancel({ reason = { kind: 'user' }, ...named }: CancelRequest): Promise<Run> {
    const { journals, resume } = this.#parts
    const run = await this.#give(this.#here(named), driven => driven.requestCancel(reason))
    if (run !== undefined) return run
    const { store, record } = await journals.record(named.runId, named.scope)
    const isSubAgent = record.relation === 'sub-agent'
    const end = (): Promise<Run> => resume({ ...named, cancel: reason }, undefined)
    const ended = isSubAgent ? undefined : await unlessBusy(end())
    if (ended !== undefined) return ended
    // The run is followed before the command is sent, so that its end is not missed.
    const followed = await this.#follow(named)
    let status = await this.#put({ runId: named.runId, id: this.#newId(), command: { type: 'cancel', reason } })
    if (isSubAgent) return followed
    // A suspended run has no driver that reads its inbox. Another process may be about to resume it, and may fail.
    while (status === 'suspended') {
      // A run that has ended since has taken the command.
      const idle = await unless(['run-busy', 'run-ended'], end())
      if (idle !== undefined) return idle
      status = (await store.run(named.runId))?.status ?? 'cancelled'
    }
    return followed
  }

  /** Decides, and resumes the run unless a process drives it. Resolves when the decision is durable. */
  async decide({ approvalId, decision, by, signal, ...named }: DecideRequest): Promise<Run> {
    const { journals, resume } = this.#parts
    const known = this.#here(named) === undefined ? await journals.record(named.runId, named.scope) : undefined
    const decided = { approvalId, decision, by }
    const letter: Letter = { id: this.#newId(), inboxes: new Set(), seq: known?.record.seq ?? 0 }
    for (;;) {
      try {
        // The root run does not know the requests of a child run that is still running: `#tellDriver` finds them.
        const resumed = await unless(['run-busy', 'approval-unknown'], resume({ ...named, decided }, signal))
        const run = resumed ?? (await this.#tellDriver(named, decided, letter))
        if (run !== undefined) return run
      } catch (error) {
        // The driver may have taken the decision from the inbox.
        const runId = await this.#accepting(letter)
        if (runId === undefined) throw error
        return this.#follow({ ...named, runId })
      }
    }
  }

  /** Finds the call that waits for the client, and answers it in the same way as a request for approval. */
  async submit({ callId, submission, ...request }: SubmitRequest): Promise<Run> {
    const { runId } = request
    const approvalId = await this.#clientRequest(request, callId)
    try {
      return await this.decide({ ...request, approvalId, decision: submission })
    } catch (error) {
      if (ParleyError.is(error, 'run-ended') || ParleyError.is(error, 'approval-decided'))
        throw new ParleyError({ code: 'client-call-settled', runId, callId }, { cause: error })
      throw error
    }
  }

  /** Returns the id of the request of a call: of the run itself, or of a child run below it. */
  async #clientRequest({ runId, scope }: Named, callId: string): Promise<string> {
    if (this.#here({ runId, scope }) === undefined) await this.#parts.journals.record(runId, scope)
    let refusal: unknown
    for await (const [, state] of this.#withChildren([runId])) {
      try {
        return findClientCall(state, { runId, callId, now: this.#parts.clock.now() })
      } catch (error) {
        // A call of the run that delegates can have the same id as a call of its child run.
        if (!ParleyError.is(error, 'client-call-unknown') && !ParleyError.is(error, 'client-call-settled')) throw error
        refusal ??= error
      }
    }
    throw refusal
  }

  /** Gives a decision to the driver. Resolves to `undefined` if the run has none: it was suspended, or its driver is gone. */
  async #tellDriver({ runId: asked, scope }: Named, decided: DecidedRequest, letter: Letter): Promise<Run | undefined> {
    const { find, journals, clock, resume } = this.#parts
    const { approvalId, by, ...rest } = decided
    const runId = await this.#asking(asked, approvalId)
    const local = find(runId)
    if (local !== undefined) return this.#give(local, run => run.decide(decided).then(() => true))
    const { store, record } = await journals.record(runId, scope)
    const before = await loadRun(store, runId)
    checkDecision(before, { runId, ...decided })
    const journal = { runId, afterSeq: before.seq, clock, approvalId }
    if (record.status === 'suspended') {
      // A child run is resumed by its root run, which has to learn of the request first.
      if (record.relation === 'sub-agent') await unlessBusy(resume({ runId, scope }, undefined))
      // Otherwise another process has claimed the run and is about to resume it, which may fail.
      await awaitGrowth(store, { ...journal, afterSeq: letter.seq })
      letter.seq = record.seq
      return undefined
    }
    const followed = await this.#follow({ runId, scope })
    const command = { type: 'decide' as const, approvalId, ...rest, ...(by === undefined ? {} : { by }) }
    letter.inboxes.add(runId)
    if ((await this.#put({ runId, id: letter.id, command })) === 'suspended') return undefined
    const answer = await awaitDecided(store, journal)
    if (answer === undefined) return undefined
    if (answer.commandId === letter.id) return followed
    throw new ParleyError({ code: 'approval-decided', runId, approvalId })
  }

  /** The run that took a decision from its inbox. */
  async #accepting({ id, inboxes }: Letter): Promise<string | undefined> {
    for (const runId of inboxes) {
      const entries = (await this.#parts.store?.read(runId)) ?? []
      if (entries.some(entry => 'commandId' in entry && entry.commandId === id)) return runId
    }
    return undefined
  }

  /** Gives a command to a run that this process drives. Resolves to `undefined` if this process no longer drives the run. */
  async #give(run: RunHandle | undefined, give: (run: RunHandle) => Promise<boolean>): Promise<RunHandle | undefined> {
    if (run === undefined) return undefined
    try {
      if (await give(run)) return run
    } catch (error) {
      if (!ParleyError.is(error, 'run-ended') && !ParleyError.is(error, 'store-fenced')) throw error
    }
    const { status } = await run.settled
    if (status === 'suspended' || status === 'interrupted') return undefined
    throw new ParleyError({ code: 'run-ended', runId: run.runId })
  }

  /** The run whose journal has the request: the root run, or the child run itself until its parent runs learn of it. */
  async #asking(runId: string, approvalId: string): Promise<string> {
    const root = await rootRun(this.#parts.store, runId)
    for await (const [candidate, state] of this.#withChildren([root, runId]))
      if (state.approvals.has(approvalId)) return candidate
    throw new ParleyError({ code: 'approval-unknown', runId, approvalId })
  }

  /** These runs, and then the unfinished child runs below them. */
  async *#withChildren(
    runIds: readonly string[],
  ): AsyncGenerator<readonly [runId: string, state: RunState], undefined> {
    const { find, store } = this.#parts
    const left = new Set(runIds)
    // A set takes runs that are added while it is read.
    for (const runId of left) {
      const state = find(runId)?.state ?? (store && (await loadRun(store, runId)))
      if (state === undefined) continue
      yield [runId, state]
      for (const { runId: childId, result } of state.calls?.flatMap(({ children = [] }) => children) ?? []) {
        // The journal of the parent run names a child run before it exists.
        if (result === undefined && (await store?.run(childId)) !== undefined) left.add(childId)
      }
    }
  }

  /** The run, if this process drives it. */
  #here({ runId, scope = 'default' }: Named): RunHandle | undefined {
    const run = this.#parts.find(runId)
    return run?.scope === scope ? run : undefined
  }

  #newId(): string {
    return createId(this.#parts.clock.now())
  }

  async #put({ runId, id, command }: Omit<PutRequest, 'at'>): Promise<RunStatus> {
    const { store, clock } = this.#parts
    const { inbox, name = 'none' } = store ?? {}
    if (inbox === undefined) {
      const detail = `'${name}' must have an inbox to reach the process that drives run '${runId}'`
      throw new ParleyError({ code: 'config-invalid', path: 'store', detail })
    }
    return inbox.put({ runId, id, at: clock.now(), command })
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

/** A decision in inboxes. A run that receives it twice takes it once. */
interface Letter {
  readonly id: string
  /** The runs that received it. */
  readonly inboxes: Set<string>
  /** Number of the last entry before the run was last tried. */
  seq: number
}

/** Resolves to the resumed run, or to `undefined` if another process drives it. */
const unlessBusy = (resuming: Promise<Run>): Promise<Run | undefined> => unless(['run-busy'], resuming)

async function unless(codes: readonly ErrorInfo['code'][], resuming: Promise<Run>): Promise<Run | undefined> {
  try {
    return await resuming
  } catch (error) {
    if (codes.some(code => ParleyError.is(error, code))) return undefined
    throw error
  }
}
