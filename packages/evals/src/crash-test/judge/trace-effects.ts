import type { CallFate, Mark, MarkedCall } from '../process/mark.ts'
import { difference, mapFacts, sum, type Facts } from '../world/facts.ts'

/** One tool call over all processes of a run: what it did to the world, and what the journal says. */
export interface TracedCall {
  readonly call: MarkedCall
  /** Times that the handler was called. */
  readonly executions: number
  readonly hasReconciled: boolean
  /** What the call added to the world in all its executions. */
  readonly effects: Facts
  /** The part of it that came after the handler had returned. */
  readonly late: Facts
  /** Changes that snapshots of the world cannot show. */
  readonly blind: readonly string[]
}

/** A run over all its processes. */
export interface Trace {
  /** In the order in which the handlers were called first. */
  readonly calls: readonly TracedCall[]
  /** How the journals say that each call ended, by its id. */
  readonly fates: ReadonlyMap<string, CallFate>
  readonly status: string
  readonly error?: string | undefined
}

/** Gives each change of the world to the call that made it. */
export function traceEffects(processes: readonly (readonly Mark[])[], folder: string): Trace {
  const steady = steadyTexts(processes.flat(), folder)
  const tally = createTally(steady)
  for (const marks of processes) {
    tally.startProcess()
    for (const mark of marks) tally.add(mark)
  }
  const end = processes.flat().findLast(mark => mark.type === 'end')
  const fates = new Map(end?.fates.map(fate => [fate.id, { ...fate, text: steady(fate.text) }]))
  return { calls: tally.calls(), fates, status: end?.status ?? 'stuck', error: end?.error }
}

/** Returns a function that replaces what is new in each repetition: ids of runs, and the path of the folder. */
function steadyTexts(marks: readonly Mark[], folder: string): (text: string) => string {
  const ids = new Map(marks.flatMap(mark => (mark.type === 'run' ? [[mark.runId, `<run ${mark.run}>`]] : [])))
  return text => {
    let known = text.replaceAll(folder, '<folder>')
    for (const [id, name] of ids) known = known.replaceAll(id, name)
    return known
  }
}

interface Sum {
  readonly call: MarkedCall
  executions: number
  hasReconciled: boolean
  effects: Facts
  late: Facts
  readonly blind: Set<string>
}

function createTally(steady: (text: string) => string) {
  const sums = new Map<string, Sum>()
  /** Handlers at work, the innermost one last. */
  let open: Sum[] = []
  /** The handler that returned last, or was at work when the last process died. */
  let last: Sum | undefined
  /** Who has changed the world since the last look at it, if that is known. */
  let changer: Sum | 'outside' | undefined
  let isLate = false
  let before: Facts | undefined

  function sumOf(call: MarkedCall): Sum {
    const known = sums.get(call.id)
    if (known !== undefined) return known
    const fresh = { call, executions: 0, hasReconciled: false, effects: {}, late: {}, blind: new Set<string>() }
    sums.set(call.id, fresh)
    return fresh
  }

  function addTouch(mark: Extract<Mark, { type: 'touch' }>): void {
    const toucher = mark.call === undefined ? undefined : sumOf(mark.call)
    if (mark.isBlind) toucher?.blind.add(steady(mark.what))
    if (!mark.isLate && open.length > 0) return
    changer = toucher ?? changer ?? 'outside'
    isLate ||= mark.isLate
  }

  function look(type: Mark['type'], seen: Facts): void {
    const world = mapFacts(seen, steady)
    const change = before === undefined || type === 'loaded' ? {} : difference(before, world)
    before = world
    const owner = changer ?? open.at(-1) ?? last
    if (owner !== undefined && owner !== 'outside') {
      owner.effects = sum(owner.effects, change)
      // What a process finds is what the last one left, and not late.
      if ((isLate || open.length === 0) && changer !== 'outside' && type !== 'begin')
        owner.late = sum(owner.late, change)
    }
    changer = undefined
    isLate = false
  }

  return {
    startProcess() {
      last = open.at(-1) ?? last
      open = []
    },
    add(mark: Mark) {
      if (mark.type === 'touch') addTouch(mark)
      const isReturn = mark.type === 'return'
      if ('world' in mark && mark.world !== undefined) look(mark.type, mark.world)
      else if (isReturn) changer = sumOf(mark.call)
      if (mark.type === 'call') {
        const started = sumOf(mark.call)
        if (mark.handler === 'execute') started.executions += 1
        else started.hasReconciled = true
        open.push(started)
      }
      if (!isReturn) return
      last = sumOf(mark.call)
      open = open.filter(each => each !== last)
    },
    calls: (): readonly TracedCall[] => [...sums.values()].map(each => ({ ...each, blind: [...each.blind] })),
  }
}
