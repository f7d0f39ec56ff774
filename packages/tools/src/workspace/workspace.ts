import type { FileHandle } from 'node:fs/promises'
import type { RunFacts } from '@parley/core'
import type { PathRules, PathVerdict } from './path-judge.ts'

/** The directories tools may work in. All access of file tools goes through one. */
export interface Workspace extends PathRules {
  /** The real, absolute paths of the roots. Relative paths start at the first. */
  readonly roots: readonly string[]
  /** The denied names in force. */
  readonly denied: readonly string[]
  /** Set for the part of a workspace that a run works in: the rules of the whole, which hold in it, too. */
  readonly within?: PathRules | undefined
  /**
   * Where a run works: in the directory it was given as its own (`RunOptions.workspace`), which becomes the only root,
   * and anywhere in this workspace when it was given none. What is denied stays denied.
   * @throws ParleyError `config-invalid` when that directory is neither in the roots nor in `runRoots`, is denied, or is no
   * directory; it does not tell what exists outside.
   */
  forRun(run: Pick<RunFacts, 'workspace'>): Promise<Workspace>
  /**
   * Finds out where a path really leads and whether it may be used. Symbolic links are followed before it is decided.
   * @throws ParleyError `path-refused`; it names no place outside the roots, nor tells what exists there.
   */
  resolve(path: string, options?: ResolveOptions): Promise<WorkspacePath>
  /**
   * Opens a regular file for reading, and checks that what was opened is what was allowed.
   * @throws ParleyError `path-refused`.
   */
  open(path: string): Promise<WorkspaceFile>
  /**
   * Writes a whole file, at once: readers see the old content or the new one. Keeps the mode of a file that was there,
   * and follows a link to where it leads. Calls for the same file wait for each other.
   * @throws ParleyError `path-refused`.
   */
  write(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<WorkspacePath>
  /**
   * Changes a file: `change` gets its content and gives the new one, or undefined to leave it. What somebody else
   * wrote meanwhile is not lost: the call fails then. Calls for the same file wait for each other.
   * @throws ParleyError `path-refused`, and what `change` throws.
   */
  update(path: string, change: (content: Buffer) => string | Uint8Array | undefined): Promise<WorkspacePath>
  /** Judges a real, absolute path by the roots and the denied names, without looking at the disk. */
  judge(realPath: string): PathVerdict
}

export interface ResolveOptions {
  /** Whether a path at which there is nothing is refused. @default true */
  readonly mustExist?: boolean | undefined
}

export interface WriteOptions {
  /** Whether missing directories are made. @default false */
  readonly createDirectories?: boolean | undefined
}

export interface WorkspacePath {
  /** Real and absolute: what to hand to the file system. */
  readonly path: string
  /** Relative to the first root where it lies in it, with `/`: what to show. */
  readonly shown: string
  readonly exists: boolean
}

/** An open file; disposing closes it. */
export interface WorkspaceFile extends AsyncDisposable, WorkspacePath {
  readonly handle: FileHandle
  /** Bytes, when it was opened. */
  readonly size: number
}
