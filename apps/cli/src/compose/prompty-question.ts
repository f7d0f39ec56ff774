import { messageInputOf, validateInputs } from '@parley/prompty'
import { createPrompty } from '@parley/prompty/node'
import { parsePromptyInputs } from '../flags/prompty-inputs.ts'

/**
 * Returns the user message that runs a .prompty file: the value of its message input, or `''` if it has none.
 * @throws ParleyError if the file or an input is invalid.
 */
export async function promptyQuestion(file: string, pairs: readonly string[] | undefined): Promise<string> {
  const prompt = await createPrompty().load(file)
  const name = messageInputOf(prompt)
  const kinds = new Map(prompt.inputs.map(input => [input.name, input.kind]))
  const inputs = validateInputs(prompt, parsePromptyInputs(pairs, kinds))
  const value = name === undefined ? '' : inputs[name]
  return typeof value === 'string' ? value : ''
}
