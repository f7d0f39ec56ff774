import { basename, join } from 'node:path'
import { ParleyError } from '@parley/core'
import { openTempDirectory, type TempDirectory } from '../../__fixtures__/open-temp-directory.ts'
import { createWorkspace } from '../create-workspace.ts'
import type { Workspace } from '../workspace.ts'

export interface HostileWorkspace extends AsyncDisposable {
  readonly inside: TempDirectory
  readonly outside: TempDirectory
  readonly workspace: Workspace
}

/** Creates a workspace full of links that lead outside, in circles and nowhere, and a directory outside with a secret. */
export async function openHostileWorkspace(): Promise<HostileWorkspace> {
  const inside = await openTempDirectory()
  const outside = await openTempDirectory()
  await outside.write('secret.txt', 'SECRET')
  await outside.write('deep/secret.txt', 'SECRET')
  await inside.write('file.txt', 'fine')
  await inside.write('src/a.ts', 'fine')
  await inside.write('src/deep/er/b.ts', 'fine')
  await inside.link('link-file', join(outside.path, 'secret.txt'))
  await inside.link('link-dir', outside.path)
  await inside.link('link-root', '/')
  await inside.link('link-parent', '..')
  await inside.link('link-relative', `../${basename(outside.path)}/secret.txt`)
  await inside.link('chain-1', 'chain-2')
  await inside.link('chain-2', 'chain-3')
  await inside.link('chain-3', join(outside.path, 'deep'))
  await inside.link('loop-a', 'loop-b')
  await inside.link('loop-b', 'loop-a')
  await inside.link('self', 'self')
  await inside.link('dangling-out', join(outside.path, 'new.txt'))
  await inside.link('dangling-in', 'not-there.txt')
  await inside.link('src/up-link', '../../..')
  await inside.link('proc-link', '/proc/self/environ')
  await inside.link('dev-link', '/dev/zero')
  await inside.link('fd-link', '/proc/self/fd')
  await inside.link('good-link', 'src/a.ts')
  await inside.link('good-dir', 'src')
  await inside.write('.env', 'KEY=1')
  await inside.link('innocent.txt', '.env')
  await inside.link('innocent-dir', '.git')
  await inside.write('.git/config', 'token')
  await inside.write('.git/HEAD', 'ref')
  const workspace = createWorkspace({ roots: [inside.path] })
  return {
    inside,
    outside,
    workspace,
    async [Symbol.asyncDispose]() {
      await inside[Symbol.asyncDispose]()
      await outside[Symbol.asyncDispose]()
    },
  }
}

/** Returns why a path was refused. */
export async function refusalOf(promise: Promise<unknown>): Promise<{ reason: string; message: string }> {
  try {
    await promise
  } catch (error) {
    if (ParleyError.is(error, 'path-refused')) return { reason: error.info.reason, message: error.message }
    throw error
  }
  return { reason: 'none', message: 'was let through' }
}

