import { defineTool, toolOk } from '@parley/core'

/** The tool `own_part`, which counts the characters of a text. `structured` is `{ characters }`. */
export const ownPart = defineTool({
  name: 'own_part',
  description: 'Counts the characters of a text.',
  input: {
    type: 'object',
    properties: { text: { type: 'string', description: 'The text.' } },
    required: ['text'],
    additionalProperties: false,
  },
  // Change this if the tool has an effect outside: `once` runs at most once, `idempotent` may run again.
  effect: 'read',
  execute: input => {
    // The engine has validated the input.
    const { text } = input as { readonly text: string }
    const characters = text.length
    return toolOk(String(characters), { characters })
  },
})
