import type { ParleyMatchers } from './parley-matchers.ts'

export { parleyMatchers, type ParleyMatchers, type RunLike } from './parley-matchers.ts'

// The types alone: Vitest is not imported at run time.
declare module 'vitest' {
  // TypeScript merges only declarations with the same type parameters: these are those of Vitest 5.
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> extends ParleyMatchers<R> {}
}
