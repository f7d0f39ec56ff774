/** A function around a call. It may change the call, call `next` or not, and change the result. */
export type Wrap<TCall, TResult> = (call: TCall, next: (call: TCall) => TResult) => TResult

/** Wraps `innermost` in a list of functions. The first function of the list receives the call first. */
export function compose<TCall, TResult>(
  wraps: readonly Wrap<TCall, TResult>[],
  innermost: (call: TCall) => TResult,
): (call: TCall) => TResult {
  return wraps.reduceRight<(call: TCall) => TResult>((next, wrap) => call => wrap(call, next), innermost)
}
