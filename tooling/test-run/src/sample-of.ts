import fc from 'fast-check'

/** Chooses some of the cases by the seed of the tests, so that each run tries the same ones and another seed tries others. */
export function sampleOf<Case>(cases: readonly Case[], count: number): readonly Case[] {
  const [sample = []] = fc.sample(fc.shuffledSubarray([...cases], { minLength: count, maxLength: count }), 1)
  return sample
}
