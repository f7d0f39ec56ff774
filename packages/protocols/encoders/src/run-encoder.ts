import { describeError, type ErrorInfo, type RunEvent } from '@parley/core'
import { StepReader } from './step/step-reader.ts'
import type { Step } from './step/step.ts'

/** Turns the events of one run into those of another protocol. */
export interface RunEncoder<TEvent> {
  /** What the client is to be sent for this event, in order. */
  push(event: RunEvent): readonly TEvent[]
  /** No more events: ends a stream that has not ended as failed, with `error` if that is why. */
  end(error?: unknown): readonly TEvent[]
  /** Whether the last event was given out. */
  readonly ended: boolean
}

/** A failure as clients may see it. */
export interface ClientError {
  readonly code: string
  readonly message: string
}

export interface RunEncoderOptions {
  /** What clients are told of a failure. @default its code and message */
  readonly describe?: ((info: ErrorInfo) => ClientError) | undefined
  /** Milliseconds since the epoch, for a stream that ends before its run began. @default the machine's clock */
  readonly now?: (() => number) | undefined
}

/** @default of `RunEncoderOptions.describe` */
export function describeForClients(info: ErrorInfo): ClientError {
  return { code: info.code, message: describeError(info) }
}

/** An encoder from what to send for each step. */
export function encoderOf<TEvent>(
  tell: (step: Step) => readonly TEvent[],
  { now = () => Date.now() }: RunEncoderOptions,
): RunEncoder<TEvent> {
  const reader = new StepReader(now)
  return {
    push: event => reader.push(event).flatMap(tell),
    end: error => reader.end(error).flatMap(tell),
    get ended() {
      return reader.ended
    },
  }
}
