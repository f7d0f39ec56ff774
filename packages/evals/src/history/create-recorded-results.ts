import { canonicalJson, type Json } from '@parley/core'
import type { RunHistory } from './load-run-history.ts'
import { recordedResultsOf, type RecordedResult } from './recorded-result.ts'

/** The results that tools returned in a recorded run and its child runs, by what was called: the tool and its input. */
export interface RecordedResults {
  /** Every result, in the order of the calls. */
  readonly all: readonly RecordedResult[]
  /**
   * Takes the result of a call. Equal calls get their results in recorded order, each once. Two inputs are equal if they are the
   * same JSON, whatever the order of keys; a result is found by the validated input and by the arguments that the model wrote.
   */
  take(name: string, input: unknown): ResultLookup
}

/** A result, or why history has none. */
export type ResultLookup =
  | { readonly found: true; readonly result: RecordedResult }
  | { readonly found: false; readonly miss: ResultMiss }

/** A call whose result the recorded run does not have. */
export interface ResultMiss {
  readonly name: string
  readonly input: Json
  /**
   * `tool-not-called`: the recorded run never got a result of this tool. `input-not-called`: it called the tool, but not with this input.
   * `used-up`: it made this call, but fewer times.
   */
  readonly reason: 'tool-not-called' | 'input-not-called' | 'used-up'
  /** For `used-up`: the last result of the same call. */
  readonly last?: RecordedResult | undefined
}

/** Creates the results of a recorded run. Each instance hands every result out once. */
export function createRecordedResults({ runs }: RunHistory): RecordedResults {
  const all = runs.flatMap(recordedResultsOf)
  const byCall = new Map<string, RecordedResult[]>()
  for (const result of all) {
    for (const key of new Set([keyOf(result.name, result.input), keyOf(result.name, result.given ?? result.input)])) {
      const found = byCall.get(key)
      if (found === undefined) byCall.set(key, [result])
      else found.push(result)
    }
  }
  const taken = new Set<RecordedResult>()
  return {
    all,
    take(name, input) {
      const recorded = byCall.get(keyOf(name, input)) ?? []
      const result = recorded.find(each => !taken.has(each))
      if (result !== undefined) {
        taken.add(result)
        return { found: true, result }
      }
      const last = recorded.at(-1)
      if (last !== undefined) return miss({ name, input, reason: 'used-up', last })
      const reason = all.some(each => each.name === name) ? 'input-not-called' : 'tool-not-called'
      return miss({ name, input, reason })
    },
  }
}

function miss({ input, ...rest }: Omit<ResultMiss, 'input'> & { readonly input: unknown }): ResultLookup {
  return { found: false, miss: { ...rest, input: toJson(input) } }
}

function keyOf(name: string, input: unknown): string {
  return `${name} ${canonicalJson(toJson(input))}`
}

/** The input as a journal has it: a schema may turn a text into a date, for example. */
function toJson(input: unknown): Json {
  return JSON.parse(JSON.stringify(input) ?? 'null') as Json
}
