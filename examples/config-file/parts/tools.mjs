/** A tool of the program: every export with this shape becomes a tool. */
export const lookUpOrder = {
  name: 'look_up_order',
  description: 'Looks up an order by its number.',
  input: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
  effect: 'read',
  execute: ({ number }) => `Order ${number} was sent on Monday.`,
}
