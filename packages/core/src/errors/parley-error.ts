import { describeError } from './describe-error.ts'
import type { ErrorCode, ErrorInfo } from '../schema/error-info.ts'

const brand = Symbol.for('@parley/error')

/** An expected failure, with its facts as data. `ErrorInfo` lists every code. Any other error that leaves Parley is a bug. */
export class ParleyError<TInfo extends ErrorInfo = ErrorInfo> extends Error {
  override readonly name: string = 'ParleyError'
  /** Code and facts of the failure. Survives serialization. */
  readonly info: TInfo
  /** Address of the page about the code in the documentation: `parley docs ADDRESS` prints it. */
  readonly docs: string

  constructor(info: TInfo, options?: ErrorOptions) {
    super(describeError(info), options)
    this.info = info
    this.docs = `errors/${info.code}`
    // A brand, because `instanceof` fails across two installed copies of this package.
    Object.defineProperty(this, brand, { value: true })
  }

  /** The code of `info`. */
  get code(): TInfo['code'] {
    return this.info.code
  }

  /**
   * Whether `error` is a `ParleyError`, with this code if one is given. Works even if several copies of this package
   * are installed.
   */
  static is<TCode extends ErrorCode = ErrorCode>(
    error: unknown,
    code?: TCode,
  ): error is ParleyError<Extract<ErrorInfo, { code: TCode }>> {
    if (typeof error !== 'object' || error === null || !(brand in error)) return false
    return code === undefined || ('info' in error && (error.info as ErrorInfo).code === code)
  }

  /** Returns `info`, so `JSON.stringify` writes the code and the facts of the failure. */
  toJSON(): ErrorInfo {
    return this.info
  }
}

/** Converts a thrown value to error data. A value that is not a `ParleyError` becomes `internal` with its message. */
export function toErrorInfo(error: unknown): ErrorInfo {
  if (ParleyError.is(error)) return error.info
  return { code: 'internal', detail: error instanceof Error ? error.message : String(error) }
}
