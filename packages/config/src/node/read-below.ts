import { readFile, realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { ParleyError } from '@parley/core'

/**
 * Reads a text file below a folder, without its byte order mark and its last line break.
 * @throws ParleyError `path-refused` if the path, or a symbolic link in it, leads out of the folder; `file-unreadable`.
 */
export async function readBelow(folder: string, file: string): Promise<string> {
  const target = resolve(folder, file)
  if (isAbsolute(file) || !isBelow(folder, target))
    throw refused(file, "the path leads out of the configuration's folder")
  try {
    const [top, real] = await Promise.all([realpath(folder), realpath(target)])
    if (!isBelow(top, real)) throw refused(file, "a link leads out of the configuration's folder")
    return withoutEdges(await readFile(real, 'utf8'))
  } catch (cause) {
    if (ParleyError.is(cause)) throw cause
    const { code } = cause as NodeJS.ErrnoException
    const detail = code === 'ENOENT' ? 'the file does not exist' : (code ?? String(cause))
    throw new ParleyError({ code: 'file-unreadable', path: file, detail }, { cause })
  }
}

/** Removes the byte order mark and the last line break. Editors add them, and they are not part of the text. */
function withoutEdges(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r?\n$/, '')
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function refused(path: string, detail: string): ParleyError {
  return new ParleyError({ code: 'path-refused', path, reason: 'outside', detail })
}
