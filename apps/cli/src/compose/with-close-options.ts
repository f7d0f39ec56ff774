import type { CloseOptions, Runtime } from '@parley/engine'

/** The same runtime, but closed like that where whoever closes it says nothing else. */
export function withCloseOptions(runtime: Runtime, options: CloseOptions): Runtime {
  const close: Runtime['close'] = given => runtime.close({ ...options, ...given })
  return { ...runtime, close, [Symbol.asyncDispose]: async () => void (await close()) }
}
