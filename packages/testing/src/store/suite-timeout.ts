/**
 * Time of each test of a suite with property tests. They call the store a few thousand times, and a store may be far away. The default of
 * Vitest is 5 seconds.
 */
export const SUITE_TIMEOUT_MS = 240_000
