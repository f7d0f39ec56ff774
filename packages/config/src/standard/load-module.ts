import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ParleyError } from '@parley/core'
import type { PartContext } from '../compose/part-type.ts'

/**
 * Imports a JavaScript module that the file names.
 * @throws ParleyError `file-unreadable` if the module fails to load.
 */
export async function loadModule(
  file: string,
  { folder = '.' }: PartContext,
): Promise<Readonly<Record<string, unknown>>> {
  const path = resolve(folder, file)
  try {
    return (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw new ParleyError({ code: 'file-unreadable', path: file, detail }, { cause })
  }
}
