import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StormAnswer, StormCommand } from './storm-command.ts'

/** A worker process. */
interface Member {
  readonly process: ChildProcess
  readonly waiting: Map<number, (answer: StormAnswer | undefined) => void>
  isReady: boolean
  isStopped: boolean
  /** Whether the storm has killed or ended it. */
  isDoomed: boolean
  stderr: string
}

export interface FleetOptions {
  readonly script: string
  readonly order: string
  readonly size: number
  /** Whether a poison run killed this process. */
  readonly wasPoisoned: (pid: number) => boolean
}

/** Keeps a number of workers running, and notices workers that end on their own. */
export class Fleet {
  readonly #options: FleetOptions
  #members: readonly Member[] = []
  #nextId = 1
  #isEnding = false
  /** Processes that an error ended, with the end of what they wrote to stderr. */
  readonly uncaught: string[] = []
  /** Processes that a poison run killed. */
  poisoned = 0

  constructor(options: FleetOptions) {
    this.#options = options
    for (let count = 0; count < options.size; count++) this.#spawn()
  }

  /** Resolves when a worker is ready. */
  async ready(): Promise<void> {
    while (this.#ready().length === 0) await sleep(20)
  }

  #ready(): readonly Member[] {
    return this.#members.filter(({ isReady, isStopped, isDoomed }) => isReady && !isStopped && !isDoomed)
  }

  /** The workers that are ready, as numbers to send to, in an order that `random` chooses. */
  targets(random: () => number): readonly Member[] {
    return [...this.#ready()]
      .map(member => ({ member, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ member }) => member)
  }

  /** Sends a command. @returns `undefined` if the worker died before it answered. */
  send(member: Member, command: StormCommand): Promise<StormAnswer | undefined> {
    const id = this.#nextId++
    return new Promise(resolve => {
      member.waiting.set(id, resolve)
      if (!member.process.connected) settle(member)
      else member.process.send({ id, command }, () => {})
    })
  }

  /** Kills a worker with SIGKILL, and starts another. @returns Whether there was one. */
  kill(random: () => number): boolean {
    const alive = this.#members.filter(({ isDoomed }) => !isDoomed)
    const member = alive[Math.floor(random() * alive.length)]
    if (member === undefined) return false
    member.isDoomed = true
    return member.process.kill('SIGKILL')
  }

  /** Stops a worker for a time with SIGSTOP. */
  async freeze(ms: number, random: () => number): Promise<void> {
    const [member] = this.targets(random)
    if (member === undefined) return
    member.isStopped = true
    member.process.kill('SIGSTOP')
    await sleep(ms)
    member.process.kill('SIGCONT')
    member.isStopped = false
  }

  /** Ends every worker as a deployment does, and waits for them. */
  async end(): Promise<void> {
    this.#isEnding = true
    await Promise.all(
      this.#members.map(async ({ process }) => {
        const closed = process.exitCode === null && process.signalCode === null ? once(process, 'close') : undefined
        if (process.connected) process.send('end')
        await closed
      }),
    )
  }

  #spawn(): void {
    const child = fork(this.#options.script, [this.#options.order], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    const member: Member = {
      process: child,
      waiting: new Map(),
      isReady: false,
      isStopped: false,
      isDoomed: false,
      stderr: '',
    }
    this.#members = [...this.#members, member]
    child.stderr?.on('data', (chunk: Buffer) => (member.stderr = (member.stderr + chunk.toString()).slice(-4_000)))
    // A message to a process that was killed.
    child.on('error', () => {})
    child.on('message', (message: StormAnswer | 'ready') => {
      if (message === 'ready') member.isReady = true
      else {
        member.waiting.get(message.id)?.(message)
        member.waiting.delete(message.id)
      }
    })
    child.on('close', (code, signal) => this.#closed(member, code ?? signal))
  }

  #closed(member: Member, how: number | string | null): void {
    this.#members = this.#members.filter(each => each !== member)
    settle(member)
    const { pid = 0 } = member.process
    if (!member.isDoomed && how === 'SIGKILL' && this.#options.wasPoisoned(pid)) this.poisoned++
    else if (!member.isDoomed && !(this.#isEnding && how === 0))
      this.uncaught.push(`ended with ${how}: ${member.stderr}`)
    if (!this.#isEnding) this.#spawn()
  }
}

/** Answers the waiting commands of a process that has ended with `undefined`, because it cannot answer any more. */
function settle({ waiting }: Member): void {
  for (const resolve of waiting.values()) resolve(undefined)
  waiting.clear()
}
