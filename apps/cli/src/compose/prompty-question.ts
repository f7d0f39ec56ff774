import { messageInputOf, validateInputs } from '@parley/prompty'
import { createPrompty } from '@parley/prompty/node'
import { parsePromptyInputs } from '../flags/prompty-inputs.ts'

/**
 * The message a prompt file is run with: the value of the input that takes it, `''` for a file that takes none.
 * @throws ParleyError for a file, or an input, that cannot be used.
 */
export async function promptyQuestion(file: string, pairs: readonly string[] | undefined): Promise<string> {
  const prompt = await createPrompty().load(file)
  const name = messageInputOf(prompt)
  const kinds = new Map(prompt.inputs.map(input => [input.name, input.kind]))
  const inputs = validateInputs(prompt, parsePromptyInputs(pairs, kinds))
  const value = name === undefined ? '' : inputs[name]
  return typeof value === 'string' ? value : ''
}
