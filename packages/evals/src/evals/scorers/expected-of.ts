import type { Sample } from './sample.ts'

/** Returns the expected output of a sample. @throws Error if the case has none, which makes the score an error. */
export function expectedOf({ expected, id }: Sample): unknown {
  if (expected === undefined) throw new Error(`the case '${id}' has no \`expected\`, which this scorer compares with`)
  return expected
}
