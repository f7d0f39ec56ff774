/**
 * Bounds the work of one validation. A schema or a pattern from outside can demand exponential work, so every loop spends steps.
 * One step takes 10 to 30 ns.
 */
export interface Work {
  steps: number
}

/** Largest number of steps of one validation. They take about 10 ms. */
export const MOST_STEPS = 400_000

/** The steps of a validation are used up. */
export class OutOfSteps extends Error {}

/** Spends steps. @throws OutOfSteps */
export function spend(work: Work, steps: number): void {
  work.steps -= steps
  if (work.steps < 0) throw new OutOfSteps()
}
