/** Deterministic random choices. The same seed gives the same sequence. */
export interface RandomSource {
  /** Returns a whole number from `min` to `max`. */
  int(min: number, max: number): number
  pick<T>(items: readonly T[]): T
  /** Replaces each `#` by a digit, each `N` by a digit from 2 to 9, and each `@` by a capital letter. */
  fill(pattern: string): string
}

/** Creates a source with the mulberry32 generator. */
export function createRandomSource(seed: number): RandomSource {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  const letter = (): string => String.fromCodePoint(65 + int(0, 25))
  return {
    int,
    pick: items => items[int(0, items.length - 1)] as never,
    fill: pattern =>
      pattern.replaceAll(/[#N@]/g, mark => (mark === '@' ? letter() : String(int(mark === 'N' ? 2 : 0, 9)))),
  }
}
