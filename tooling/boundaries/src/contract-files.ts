/** The contract files of one package. */
export interface Contracts {
  /** Folder of the package, from the root of the repository. */
  readonly dir: string
  /** Names of the files. They may be in any folder below `src`. */
  readonly files: readonly string[]
}

/** The contracts that authors of models, tools, stores and middleware implement: each fits on one screen. */
export const CORE_CONTRACTS: Contracts = {
  dir: 'packages/core',
  files: ['model.ts', 'tool.ts', 'store.ts', 'middleware.ts', 'context-policy.ts', 'run-event.ts'],
}
