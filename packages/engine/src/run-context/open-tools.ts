import type { RunScope } from './run-scope.ts'

/** Asks the agent's tool sources what they have. A source that cannot answer lets the run end as failed. */
export function openTools(run: RunScope): void | Promise<void> {
  return takeTools(run, error => {
    // What a stopped source says is not why the run ends.
    if (!run.stopper.stopped) run.fail(error)
  })
}

/**
 * Asks them again when one said that it changed, so that the next model call is offered what there is by then. One that
 * cannot answer now leaves the run with the tools it had.
 */
export function renewTools(run: RunScope): void | Promise<void> {
  return takeTools(run, keepTools)
}

function keepTools(): void {}

function takeTools(run: RunScope, onFailure: (error: unknown) => void): void | Promise<void> {
  const current = run.prepared.shelf.current(run.stopper.signal)
  if (current instanceof Promise) {
    return current.then(tools => {
      run.tools = tools
    }, onFailure)
  }
  run.tools = current
  return undefined
}
