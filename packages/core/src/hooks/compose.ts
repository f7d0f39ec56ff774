/** A stage around a call: does something, calls `next` (or not), does something with the result. */
export type Wrap<TCall, TResult> = (call: TCall, next: (call: TCall) => TResult) => TResult

/** Folds wrappers around `innermost`; the first wrapper listed sees the call first. */
export function compose<TCall, TResult>(
  wraps: readonly Wrap<TCall, TResult>[],
  innermost: (call: TCall) => TResult,
): (call: TCall) => TResult {
  return wraps.reduceRight<(call: TCall) => TResult>((next, wrap) => call => wrap(call, next), innermost)
}
