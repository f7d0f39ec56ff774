import { describePublicly, type Entry, type ErrorInfo } from '@parley/core'
import { createRunEncoder, type RunEncoder } from '../kit/run-encoder.ts'
import { ChatStepReader } from './chat-step-reader.ts'
import type { ChatStep } from './chat-step.ts'

/** A failure as clients see it. */
export interface ClientError {
  readonly code: string
  readonly message: string
}

/** Options of every encoder of this package. */
export interface RunEncoderOptions {
  /** Describes a failure to the client. @default the error's code and `describePublicly` */
  readonly describe?: ((info: ErrorInfo) => ClientError) | undefined
  /**
   * Entries of the run before its first event, if an earlier stream showed them. The encoder reads the calls that are still open
   * there. @default none
   */
  readonly prior?: readonly Entry[] | undefined
  /** Milliseconds since the epoch, for a stream that ends before the first event of its run. @default Date.now */
  readonly now?: (() => number) | undefined
}

/** Describes a failure by its code and its sentence for clients. The default of `RunEncoderOptions.describe`. */
export function describeForClients(info: ErrorInfo): ClientError {
  return { code: info.code, message: describePublicly(info) }
}

/** Creates an encoder from a function that encodes one chat step. */
export function createChatStepEncoder<TEvent>(
  encode: (step: ChatStep) => readonly TEvent[],
  { now, prior = [] }: RunEncoderOptions,
): RunEncoder<TEvent> {
  const reader = new ChatStepReader(prior)
  return createRunEncoder(step => reader.read(step).flatMap(encode), now)
}
