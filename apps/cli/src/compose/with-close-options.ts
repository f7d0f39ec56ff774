import type { CloseOptions, Runtime } from '@parley/engine'

/** Wraps a runtime so that it closes with these options by default. */
export function withCloseOptions(runtime: Runtime, options: CloseOptions): Runtime {
  const close: Runtime['close'] = given => runtime.close({ ...options, ...given })
  return { ...runtime, close, [Symbol.asyncDispose]: async () => void (await close()) }
}
