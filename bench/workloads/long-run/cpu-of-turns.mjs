/** Turns before and after the measured one that are measured with it. Fewer at the beginning of a run. */
const SPAN = 250
const WARM_MS = 1_000
const MEASURED_MS = 2_000

/** Measures the CPU time of the turns around one turn, in runs that are repeated until the time is long enough. */
export class CpuOfTurns {
  /** Turns of all runs. */
  turns = 0
  #from
  #to
  #turn = 0
  #startedAt = performance.now()
  #cpu = process.cpuUsage()
  #spent = 0
  #measured = 0

  constructor(turn) {
    const span = Math.min(SPAN, Math.floor(turn / 2))
    this.#from = turn - span
    this.#to = turn + span
  }

  /** Whether enough runs were measured. */
  get done() {
    return performance.now() - this.#startedAt > WARM_MS + MEASURED_MS && this.#measured > 0
  }

  get microseconds() {
    return this.#spent / this.#measured
  }

  startRun() {
    this.#turn = 0
  }

  /** Begins the next turn. @returns Whether the run has enough turns. */
  begin() {
    this.#turn++
    this.turns++
    if (this.#turn === this.#from) this.#cpu = process.cpuUsage()
    if (this.#turn < this.#to) return false
    const { user, system } = process.cpuUsage(this.#cpu)
    if (performance.now() - this.#startedAt < WARM_MS) return true
    this.#spent += user + system
    this.#measured += this.#to - this.#from
    return true
  }
}
