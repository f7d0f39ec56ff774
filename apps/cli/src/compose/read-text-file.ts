import { readFile } from 'node:fs/promises'
import { ParleyError } from '@parley/core'

/**
 * Reads a file that the user named.
 * @param hint Advice that follows the error of a missing file.
 * @throws ParleyError `file-unreadable`.
 */
export async function readTextFile(path: string, hint = ''): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const detail = code === 'ENOENT' ? `the file does not exist${hint}` : (code ?? String(cause))
    throw new ParleyError({ code: 'file-unreadable', path, detail }, { cause })
  }
}
