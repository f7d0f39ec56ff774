import { describeError } from './describe-error.ts'
import type { ErrorCode, ErrorInfo } from '../schema/error-info.ts'

const brand = Symbol.for('@parley/error')

/** A failure the runtime foresaw. Everything else that escapes is a bug. */
export class ParleyError<TInfo extends ErrorInfo = ErrorInfo> extends Error {
  override readonly name = 'ParleyError'
  readonly info: TInfo

  constructor(info: TInfo, options?: ErrorOptions) {
    super(describeError(info), options)
    this.info = info
    // Recognised by brand, because `instanceof` fails across two installed copies of this package.
    Object.defineProperty(this, brand, { value: true })
  }

  get code(): TInfo['code'] {
    return this.info.code
  }

  /** Whether `error` is a foreseen failure, of the given code if one is named. Works across package copies. */
  static is<TCode extends ErrorCode = ErrorCode>(
    error: unknown,
    code?: TCode,
  ): error is ParleyError<Extract<ErrorInfo, { code: TCode }>> {
    if (typeof error !== 'object' || error === null || !(brand in error)) return false
    return code === undefined || ('info' in error && (error.info as ErrorInfo).code === code)
  }

  toJSON(): ErrorInfo {
    return this.info
  }
}

/** The failure as data. What nobody foresaw becomes `internal`, with its message. */
export function toErrorInfo(error: unknown): ErrorInfo {
  if (ParleyError.is(error)) return error.info
  return { code: 'internal', detail: error instanceof Error ? error.message : String(error) }
}
