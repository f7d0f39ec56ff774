import type { FileHandle } from 'node:fs/promises'
import type { RunFacts } from '@parley/core'
import type { PathRules, PathVerdict } from './path-judge.ts'

/** The directories that tools may use. File tools access the disk only through it. */
export interface Workspace extends PathRules {
  /** Real, absolute paths of the roots. Relative paths start at the first. */
  readonly roots: readonly string[]
  /** The denied names that apply. */
  readonly denied: readonly string[]
  /**
   * Rules of the whole workspace, which must allow a path too. Set only in the workspace of a run with its own directory.
   * @default none
   */
  readonly within?: PathRules | undefined
  /**
   * Returns the workspace of a run. If the run was given its own directory (`RunOptions.workspace`), that directory is
   * the only root, and denied names stay denied. Otherwise it is this workspace.
   * @throws ParleyError `config-invalid` if the directory is denied, is not a directory, or lies neither in the roots
   * nor in `runRoots`. The error does not reveal what exists outside.
   */
  forRun(run: Pick<RunFacts, 'workspace'>): Promise<Workspace>
  /**
   * Resolves a path and checks that it may be used. Symbolic links are followed before the check.
   * @throws ParleyError `path-refused`. The error does not name a place outside the roots or reveal what exists there.
   */
  resolve(path: string, options?: ResolveOptions): Promise<WorkspacePath>
  /**
   * Opens a regular file for reading and checks that the opened file is allowed.
   * @throws ParleyError `path-refused`.
   */
  open(path: string): Promise<WorkspaceFile>
  /**
   * Writes a whole file in one step: readers see the old content or the new content. Keeps the mode of an existing file and
   * follows a link to its target. Calls for the same file run one after the other.
   * @throws ParleyError `path-refused`.
   */
  write(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<WorkspacePath>
  /**
   * Changes a file. `change` receives the content and returns the new content, or `undefined` to leave the file as it is. If
   * another process wrote to the file in between, the call fails and that content stays. Calls for the same file run one
   * after the other.
   * @throws ParleyError `path-refused`, and whatever `change` throws.
   */
  update(path: string, change: (content: Buffer) => string | Uint8Array | undefined): Promise<WorkspacePath>
  /** Judges a real, absolute path by the roots and the denied names, without reading the disk. */
  judge(realPath: string): PathVerdict
}

export interface ResolveOptions {
  /** Whether to refuse a path that does not exist. @default true */
  readonly mustExist?: boolean | undefined
}

export interface WriteOptions {
  /** Whether to create missing directories. @default false */
  readonly createDirectories?: boolean | undefined
}

/** A path that was resolved and may be used. */
export interface WorkspacePath {
  /** Real and absolute. Pass this to the file system. */
  readonly path: string
  /** Path to show, with `/` as separator: relative if the path lies in the first root, otherwise absolute. */
  readonly shown: string
  readonly exists: boolean
}

/** An open file. Disposing closes it. */
export interface WorkspaceFile extends AsyncDisposable, WorkspacePath {
  readonly handle: FileHandle
  /** Size in bytes when the file was opened. */
  readonly size: number
}
