import { decide } from '../journal/decide.ts'
import type { ChildOrder } from '../run-context/children/child-order.ts'
import type { RunContext } from '../run-context/run-context.ts'
import { collectChildren } from '../steps/delegation/collect-children.ts'
import { recordSuspendedChild } from '../steps/delegation/record-suspended-child.ts'
import { batchesOf, runOpenCall } from '../steps/tools/run-tools.ts'
import type { CallUpdate, DurableHost, Ending, PendingCall, Steps } from './durable-host.ts'

/** Takes the next step of a run. Returns `undefined` if the step is done at once and the run continues. */
type TakeStep = (run: RunContext) => Promise<Ending | undefined> | undefined

/** The steps of a run as a durable host takes them. */
export class HostedSteps implements Steps {
  readonly #run: RunContext
  readonly #host: DurableHost
  readonly #take: TakeStep

  constructor(run: RunContext, host: DurableHost, take: TakeStep) {
    this.#run = run
    this.#host = host
    this.#take = take
  }

  async take(): Promise<Ending | undefined> {
    return this.#take(this.#run)
  }

  openCalls(): ReturnType<Steps['openCalls']> {
    const run = this.#run
    const action = decide(run.state, run.policy, run.due)
    return action.type === 'run-tools' ? batchesOf(run, action.calls) : undefined
  }

  async call(callId: string, { broken = [], timedOut = false }: CallUpdate = {}): Promise<PendingCall | undefined> {
    const run = this.#run
    await collectChildren(run, callId, broken)
    const children: ChildOrder[] = []
    const name = run.state.calls?.find(({ call }) => call.callId === callId)?.call.name ?? ''
    const timeoutMs = run.tools.byName.get(name)?.tool.timeoutMs ?? run.agent.definition.toolTimeoutMs
    await runOpenCall(run, callId, {
      orders: this.#host.runsChildren === true ? children : undefined,
      verdict: timedOut ? { code: 'tool-timeout', tool: name, ms: timeoutMs ?? 0 } : undefined,
    })
    await this.commit()
    return children.length === 0 ? undefined : { children, timeoutMs }
  }

  async childSuspended(runId: string): Promise<void> {
    await recordSuspendedChild(this.#run, runId)
    await this.commit()
  }

  get isWaiting(): boolean {
    return decide(this.#run.state, this.#run.policy, this.#run.due).type === 'await-answers'
  }

  commit(): Promise<void> | undefined {
    return this.#run.journal.commit()
  }
}
