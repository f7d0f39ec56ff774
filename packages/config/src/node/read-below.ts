import { readFile, realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { ParleyError } from '@parley/core'

/**
 * The text of a file below a folder.
 * @throws ParleyError `path-refused` for one that is elsewhere, also by a link; `file-unreadable`.
 */
export async function readBelow(folder: string, file: string): Promise<string> {
  const target = resolve(folder, file)
  if (isAbsolute(file) || !isBelow(folder, target)) throw refused(file, "it leads out of the configuration's folder")
  try {
    const [top, real] = await Promise.all([realpath(folder), realpath(target)])
    if (!isBelow(top, real)) throw refused(file, "a link leads out of the configuration's folder")
    return withoutEdges(await readFile(real, 'utf8'))
  } catch (cause) {
    if (ParleyError.is(cause)) throw cause
    const { code } = cause as NodeJS.ErrnoException
    const detail = code === 'ENOENT' ? 'there is no such file' : (code ?? String(cause))
    throw new ParleyError({ code: 'file-unreadable', path: file, detail }, { cause })
  }
}

/** Editors begin files with a mark and end them with a line break, neither of which is part of the text. */
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
