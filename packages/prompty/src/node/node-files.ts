import { readFile, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { ParleyError } from '@parley/core'
import type { PromptyFiles } from '../format/prompty-files.ts'

export interface NodeFilesOptions {
  /** Folders that prompts may refer to besides their own; a prompt cannot add any. @default [] */
  readonly roots?: readonly string[] | undefined
}

/**
 * The machine's files. A reference is relative, has no way up in it, and ends inside the prompt's folder or one of the
 * roots, also after every link was followed.
 */
export function nodeFiles({ roots = [] }: NodeFilesOptions = {}): PromptyFiles {
  return {
    readPrompt: async path => (await read(path, path)).toString('utf8'),
    async readReference(reference, { from }) {
      if (isAbsolute(reference) || /^[A-Za-z]:|^[\\/]/.test(reference))
        throw refused(reference, 'it is absolute; paths are relative to the prompt.')
      const folder = dirname(resolve(from))
      const target = resolve(folder, reference.replaceAll('\\', '/'))
      const allowed = [folder, ...roots.map(root => resolve(root))]
      if (!allowed.some(root => isInside(root, target)))
        throw refused(reference, "it leads out of the prompt's folder.")
      const real = await followed(target, reference)
      const realRoots = await Promise.all(allowed.map(root => realpath(root).catch(() => root)))
      if (!realRoots.some(root => isInside(root, real)))
        throw refused(reference, "a link leads out of the prompt's folder.")
      return read(real, reference)
    },
  }
}

async function followed(target: string, reference: string): Promise<string> {
  try {
    return await realpath(target)
  } catch (cause) {
    throw unreadable(reference, cause)
  }
}

async function read(path: string, shown: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (cause) {
    throw unreadable(shown, cause)
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function refused(path: string, detail: string): ParleyError {
  return new ParleyError({ code: 'path-refused', path, reason: 'outside', detail })
}

function unreadable(path: string, cause: unknown): ParleyError {
  const { code } = cause as NodeJS.ErrnoException
  const detail = code === 'ENOENT' ? 'there is no such file' : (code ?? String(cause))
  return new ParleyError({ code: 'file-unreadable', path, detail }, { cause })
}
