import { createHash } from 'node:crypto'
import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ParleyError } from '@parley/core'

/** Makes sure that there is a directory this process can write in, and nobody but its user looks into. */
export function preparePrivateDirectory(path: string, directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    accessSync(directory, constants.W_OK)
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new ParleyError({ code: 'config-invalid', path, detail: `'${directory}' cannot be written in: ${cause}` })
  }
}

/** The directory of one owner; its name says nothing about whose it is. */
export function ownDirectory(directory: string, owner: string): string {
  return join(directory, createHash('sha256').update(owner).digest('hex'))
}
