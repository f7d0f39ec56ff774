/** Resolves in the next turn of the event loop: what is ready in this one has happened by then. */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    setImmediate(resolve)
  })
}
