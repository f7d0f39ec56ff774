import type { Sample } from '../scorers/sample.ts'

/** Writes the question, the expected output and answers as text for a judge. */
export function describeSample(sample: Sample, answers: readonly (readonly [name: string, text: string])[]): string {
  const { input, expected } = sample
  const parts = [['question', toText(input)] as const, ...answers]
  if (expected !== undefined) parts.splice(1, 0, ['expected', toText(expected)])
  return parts.map(([name, text]) => `<${name}>\n${text}\n</${name}>`).join('\n\n')
}

/** A text as it is, other values as JSON. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
