/** A middleware of the program. */
export const notes = {
  name: 'notes',
  begin: () => ({ beforeTurn: () => true }),
}
