/** Decides which commands may run, and how. To change a policy, spread it and replace some fields. */
export interface ShellPolicy {
  /** Name that refusals show. */
  readonly name: string
  /** Tells the model which commands may run. Part of the tool's description. */
  readonly description: string
  /** Judges an argument list without reading the disk. */
  readonly check: (argv: readonly string[]) => CommandVerdict
  /**
   * `none` runs commands in their own network namespace if the system supports it (Linux with `unshare`). Elsewhere, only
   * `check` keeps them from the network.
   */
  readonly network: 'inherit' | 'none'
  /** Limits of each process. */
  readonly limits: ResourceLimits
  /** Variables for every command. They replace variables of the same name that are passed through. */
  readonly environment: Readonly<Record<string, string>>
}

/** Limits of one process, which the system enforces. The tool's timeout and output limit apply to the whole command. */
export interface ResourceLimits {
  /** Maximum processor time, in seconds. @default unlimited */
  readonly cpuSeconds?: number | undefined
  /** Maximum address space, in bytes. Programs on V8 or the JVM reserve many gigabytes. @default unlimited */
  readonly memoryBytes?: number | undefined
  /** Size of the largest file that the process may write, in bytes. @default unlimited */
  readonly fileBytes?: number | undefined
}

/** Whether a command may run. */
export type CommandVerdict =
  | {
      readonly ok: true
      /** The command to run: as requested, or with added options that make it safe. */
      readonly argv: readonly string[]
      /** Parts of it that could name files. These must lie in the workspace and not have a denied name. */
      readonly paths: readonly string[]
      /** Parts that could name files which may also lie where the system keeps its programs. */
      readonly systemPaths: readonly string[]
      /** Whether to refuse the command if it names a root of the workspace itself, such as `rm -rf .` does. */
      readonly protectsRoots: boolean
    }
  /** A sentence that says why the command may not run and what to do instead. */
  | { readonly ok: false; readonly reason: string }
