import { createHash } from 'node:crypto'
import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ParleyError } from '@parley/core'

/**
 * Creates a directory that only the current user can access, unless it exists, and checks that this process can write to it.
 * @throws ParleyError `config-invalid` if the directory is not writable.
 */
export function preparePrivateDirectory(path: string, directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    accessSync(directory, constants.W_OK)
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new ParleyError({ code: 'config-invalid', path, detail: `'${directory}' is not writable: ${cause}` })
  }
}

/** Returns the directory of one owner. Its name is a hash, so it does not reveal the owner. */
export function ownDirectory(directory: string, owner: string): string {
  return join(directory, createHash('sha256').update(owner).digest('hex'))
}
