/** Decides what commands may run, and how. Plain data but for `check`: spread one to change it. */
export interface ShellPolicy {
  /** Shown in refusals and in the tool's description. */
  readonly name: string
  /** What may be run, for the model. */
  readonly description: string
  /** Judges an argument list, without looking at the disk. */
  readonly check: (argv: readonly string[]) => CommandVerdict
  /**
   * `none` runs commands in a network of their own where the system can (Linux with `unshare`); where it cannot, only
   * `check` stands between them and the network.
   */
  readonly network: 'inherit' | 'none'
  readonly limits: ResourceLimits
  /** Variables every command gets, over those that are passed through. */
  readonly environment: Readonly<Record<string, string>>
}

/** Limits of one process, kept by the system; those of a command as a whole are the tool's timeout and output cap. */
export interface ResourceLimits {
  /** Processor time, in seconds. */
  readonly cpuSeconds?: number | undefined
  /** Address space, in bytes. Programs on V8 or the JVM reserve many gigabytes. */
  readonly memoryBytes?: number | undefined
  /** Largest file it may write, in bytes. */
  readonly fileBytes?: number | undefined
}

export type CommandVerdict =
  | {
      readonly ok: true
      /** What is run: as asked for, or with options that make it safe. */
      readonly argv: readonly string[]
      /** Parts of it that may name files. Those must lie in the workspace and not be denied there. */
      readonly paths: readonly string[]
      /** Parts that may name files, which may also lie where the system keeps its programs. */
      readonly systemPaths: readonly string[]
      /** Whether a root of the workspace itself is no good for it. */
      readonly protectsRoots: boolean
    }
  /** Why it may not run and what to do instead, as a sentence. */
  | { readonly ok: false; readonly reason: string }
