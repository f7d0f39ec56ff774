import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { defineMiddleware, type Middleware, type ModelEvent } from '@parley/core'
import type { RunNames } from './run-names.ts'

const write = writeFileSync

/** The answers of the models of one tree of runs, so that a repetition costs nothing and goes the same way. */
export interface AnswerTape {
  readonly middleware: Middleware
  /** Keeps the answers, if this process has recorded them. */
  save(): void
}

type Answers = Record<string, ModelEvent[]>

/** Opens a tape: replays the file, or records the models if the file does not exist. */
export function openAnswerTape(path: string, names: () => RunNames): AnswerTape {
  const isRecorded = existsSync(path)
  const answers: Answers = isRecorded ? (JSON.parse(readFileSync(path, 'utf8')) as Answers) : {}
  const counts = new Map<string, number>()
  const middleware = defineMiddleware('crash-test-answers', run => ({
    model(call, next) {
      const turn = `${names().nameOf(run.runId)}/${call.turn}`
      const nth = counts.get(turn) ?? 0
      counts.set(turn, nth + 1)
      const key = `${turn}/${nth}`
      if (isRecorded) return replay(answers[key] ?? answers[`${turn}/0`])
      return record(next(call), (answers[key] = []))
    },
  }))
  return { middleware, save: () => (isRecorded ? undefined : write(path, JSON.stringify(answers))) }
}

async function* record(events: AsyncIterable<ModelEvent>, kept: ModelEvent[]): AsyncGenerator<ModelEvent> {
  for await (const event of events) {
    kept.push(event)
    yield event
  }
}

// eslint-disable-next-line typescript/require-await -- a model streams
async function* replay(events: readonly ModelEvent[] | undefined): AsyncGenerator<ModelEvent> {
  // A run that was not killed never came to this turn, so the resumed one has nothing more to do.
  yield* events ?? [{ type: 'finish', reason: 'stop' }]
}
