import { readFile, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { checkOptions, ParleyError, type OptionKinds } from '@parley/core'
import type { PromptyFiles } from '../format/prompty-files.ts'

/** Options of `createNodeFiles`. */
export interface NodeFilesOptions {
  /** Folders that prompts may read besides their own. A prompt cannot add a folder. @default [] */
  readonly roots?: readonly string[] | undefined
}

const OPTIONS: OptionKinds<NodeFilesOptions> = {
  roots: 'strings',
}

/**
 * Reads the file system. A reference must be relative and end inside the prompt's folder or one of the roots, even
 * after symbolic links are followed.
 */
export function createNodeFiles(options: NodeFilesOptions = {}): PromptyFiles {
  checkOptions('createNodeFiles', options, OPTIONS)
  const { roots = [] } = options
  return {
    readPrompt: async path => (await read(path, path)).toString('utf8'),
    async readReference(reference, { from }) {
      if (isAbsolute(reference) || /^[A-Za-z]:|^[\\/]/.test(reference))
        throw refused(reference, 'the path is absolute; it must be relative to the prompt.')
      const folder = dirname(resolve(from))
      const target = resolve(folder, reference.replaceAll('\\', '/'))
      const allowed = [folder, ...roots.map(root => resolve(root))]
      if (!allowed.some(root => isInside(root, target)))
        throw refused(reference, "the path leads out of the prompt's folder.")
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
  const detail = code === 'ENOENT' ? 'the file does not exist' : (code ?? String(cause))
  return new ParleyError({ code: 'file-unreadable', path, detail }, { cause })
}
