/** A package whose folders stand on floors. */
export interface Building {
  /** Folder of the package, from the root of the repository. */
  readonly dir: string
  /**
   * Folders below `src` and their floors. `steps/*` stands for each folder in `steps`. Entry files, which the manifest
   * exports, stand above all floors.
   */
  readonly floors: Readonly<Record<string, number>>
}

/** The floors of the engine: a file may import from its own folder and from folders on lower floors. */
export const ENGINE: Building = {
  dir: 'packages/engine',
  floors: {
    agent: 1,
    journal: 1,
    'run-context': 2,
    'steps/*': 3,
    loop: 4,
    runtime: 5,
  },
}
