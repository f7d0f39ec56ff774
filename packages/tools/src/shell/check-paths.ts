import { resolve } from 'node:path'
import { ParleyError } from '@parley/core'
import { locatePath } from '../workspace/locate-path.ts'
import { isInside } from '../workspace/path-judge.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** The files that a command names, as in `CommandVerdict`, and where they must lie. */
export interface CheckPathsOptions {
  readonly workspace: Workspace
  readonly cwd: string
  readonly paths: readonly string[]
  readonly systemPaths: readonly string[]
  readonly protectsRoots: boolean
}

/** Where the system keeps programs and their libraries, and the null device. */
const SYSTEM_PLACES = ['/usr', '/opt', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/nix', '/snap', '/dev/null']
/** Matches a path that goes down and then up again (`a/..`). If `a` is a link, `..` leads to the parent of its target. */
const UP_AGAIN = /(?:^|\/)(?!\.{1,2}(?:\/|$))[^/]+\/+(?:\.\/+)*\.\.(?:\/|$)/

/** Returns a sentence that says what is wrong with the files that a command names. `undefined` if all may be used. */
export async function checkPaths(options: CheckPathsOptions): Promise<string | undefined> {
  for (const value of new Set(options.paths)) {
    const fault = await faultOf(value, options, false)
    if (fault !== undefined) return fault
  }
  for (const value of new Set(options.systemPaths)) {
    const fault = await faultOf(value, options, true)
    if (fault !== undefined) return fault
  }
  return undefined
}

async function faultOf(
  value: string,
  { workspace, cwd, protectsRoots }: CheckPathsOptions,
  inSystem: boolean,
): Promise<string | undefined> {
  if (value === '') return undefined
  const shown = value.length > 200 ? `${value.slice(0, 200)}…` : value
  if (UP_AGAIN.test(value))
    return `Cannot use '${shown}': it goes down and up again. Write the path without '..' in it.`
  const absolute = resolve(cwd, value)
  try {
    const { path } = await workspace.resolve(absolute, { mustExist: false })
    if (protectsRoots && workspace.roots.some(root => isInside(path, root))) {
      return `Cannot use '${shown}': it is the workspace itself. Name the files in it instead.`
    }
    return undefined
  } catch (error) {
    if (!ParleyError.is(error, 'path-refused')) throw error
    const { reason } = error.info
    // An invalid path is plain text, and the program itself reports a file that it cannot read.
    if (reason !== 'outside' && reason !== 'sensitive') return undefined
    if (inSystem && reason === 'outside' && (await isInSystem(absolute))) return undefined
    return reason === 'outside'
      ? `Cannot use '${shown}': it is, or leads, outside the workspace. Paths start at the working directory of the command.`
      : `Cannot use '${shown}': names like this hold secrets or devices. Continue without it, or ask the user.`
  }
}

async function isInSystem(absolute: string): Promise<boolean> {
  const location = await locatePath(absolute)
  if (location.type === 'broken-link') return false
  return SYSTEM_PLACES.some(place => isInside(place, location.path))
}
