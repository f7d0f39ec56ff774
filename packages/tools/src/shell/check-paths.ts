import { resolve } from 'node:path'
import { ParleyError } from '@parley/core'
import { locatePath } from '../workspace/locate-path.ts'
import { isInside } from '../workspace/path-judge.ts'
import type { Workspace } from '../workspace/workspace.ts'

export interface CheckPathsOptions {
  readonly workspace: Workspace
  readonly cwd: string
  readonly paths: readonly string[]
  readonly systemPaths: readonly string[]
  readonly protectsRoots: boolean
}

/** Where programs and their parts lie, and what may be used as no file. */
const SYSTEM_PLACES = ['/usr', '/opt', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/nix', '/snap', '/dev/null']
/** A part of a path that goes up after it went down, through what may be a link. */
const UP_AGAIN = /(?:^|\/)(?!\.{1,2}(?:\/|$))[^/]+\/+(?:\.\/+)*\.\.(?:\/|$)/

/** What is wrong with the files a command names, as a sentence; undefined when nothing is. */
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
      return `Cannot use '${shown}': it is the workspace itself. Name what in it is meant.`
    }
    return undefined
  } catch (error) {
    if (!ParleyError.is(error, 'path-refused')) throw error
    const { reason } = error.info
    // What can be no path is text, and what cannot be read the program will say so itself.
    if (reason !== 'outside' && reason !== 'sensitive') return undefined
    if (inSystem && reason === 'outside' && (await isInSystem(absolute))) return undefined
    return reason === 'outside'
      ? `Cannot use '${shown}': it is, or leads, outside the workspace. Paths start at the working directory of the command.`
      : `Cannot use '${shown}': names like this hold secrets or devices. Go on without it, or ask the user.`
  }
}

async function isInSystem(absolute: string): Promise<boolean> {
  const location = await locatePath(absolute)
  if (location.type === 'broken-link') return false
  return SYSTEM_PLACES.some(place => isInside(place, location.path))
}
