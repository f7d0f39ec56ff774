import type { Workspace } from '../workspace/workspace.ts'

/** Decides which commands may run, and how. To change a policy, spread it and replace some fields. */
export interface ShellPolicy {
  /** Name that refusals show. */
  readonly name: string
  /** Tells the model which commands may run. Part of the tool's description. */
  readonly description: string
  /** Judges an argument list without reading the disk. */
  readonly check: CommandCheck
  /**
   * What the sandbox lets commands do with the files of the workspace. With `read`, commands see only the workspace without its
   * denied names, and the programs of the system. With `write`, they may change the workspace and read other files, except secrets
   * of the home directory. @default 'write'
   */
  readonly files?: 'read' | 'write' | undefined
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

/** Judges an argument list without reading the disk. */
export type CommandCheck = (argv: readonly string[]) => CommandVerdict

/** Whether a command may run. */
export type CommandVerdict =
  | AllowedVerdict
  /** A sentence that says why the command may not run and what to do instead. */
  | { readonly ok: false; readonly reason: string }

/** The verdict that a command may run, and what has to be checked on the disk first. */
export interface AllowedVerdict {
  readonly ok: true
  /** The command to run: as requested, or with added options that make it safe. */
  readonly argv: readonly string[]
  /** Parts of it that could name files. These must lie in the workspace and not have a denied name. */
  readonly paths: readonly string[]
  /** Parts that could name files which may also lie where the system keeps its programs. */
  readonly systemPaths: readonly string[]
  /** Whether to refuse the command if it names a root of the workspace itself, such as `rm -rf .` does. */
  readonly protectsRoots: boolean
  /** A last check that may read the disk. It runs after the paths were judged. @default none */
  readonly prepare?: PrepareCommand | undefined
}

/** Judges what depends on the disk, and completes the command. Returns a sentence with the reason if it may not run. */
export type PrepareCommand = (scene: CommandScene) => Promise<PreparedCommand | string>

/** The command that is prepared, and the place in which it would run. */
export interface CommandScene {
  readonly workspace: Workspace
  /** Real, absolute path of the directory that the command would run in. */
  readonly cwd: string
  /** The program file that was found for the command. */
  readonly program: string
  /** The program and its arguments, as in `AllowedVerdict`. */
  readonly argv: readonly string[]
}

/** A command that is ready to run. */
export interface PreparedCommand {
  readonly argv: readonly string[]
  /** Variables of this command alone. @default none */
  readonly environment?: Readonly<Record<string, string>> | undefined
  /** Directory to run in. @default the requested one */
  readonly cwd?: string | undefined
  /** Directories outside the workspace that the command reads. @default none */
  readonly reads?: readonly string[] | undefined
  /** Whether the sandbox shows denied names, because the command itself leaves out their content. @default false */
  readonly unhidden?: boolean | undefined
  /** Whether the command may use credentials of the home directory, as a transfer by git does. @default false */
  readonly credentials?: boolean | undefined
  /** Called when the command has ended. @default none */
  readonly release?: (() => Promise<void>) | undefined
}
