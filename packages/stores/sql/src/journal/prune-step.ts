/** Removes a small number of rows in one transaction. Stops the call when its signal is aborted. */
export type PruneStep = <TResult>(step: () => Promise<TResult>) => Promise<TResult>
