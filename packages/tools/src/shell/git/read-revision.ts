import { join, resolve } from 'node:path'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Repository } from './find-repository.ts'

export interface RevisionScene {
  readonly workspace: Workspace
  readonly cwd: string
  readonly repository: Repository
  /** Whether a file of a commit or of the index may be named too. */
  readonly objects: boolean
}

export type ReadRevision =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly reason: string }

/** A name, a digest or `@`, with a place in its reflog and steps to ancestors. No search (`:/text`) and no type (`^{blob}`). */
const COMMIT = /^(?:[\w@][\w./@+-]*)?(?:@\{[\w .:+-]+\})?(?:[~^]\d*)*(?:\^\{(?:commit)?\})?$/
/** Suffixes that git accepts only after a commit: its parents, or itself without them. */
const COMMITS_ONLY = /\^(?:[@!]|-\d*)$/
const OBJECT = /^([^:]*):(?:[0-3]:)?([^]*)$/

/**
 * Reads a revision and writes it so that git accepts only a commit there. A plain digest could name a file's content, whose path
 * cannot be judged.
 */
export function readRevision(given: string, scene: RevisionScene): ReadRevision {
  const object = OBJECT.exec(given)
  if (object !== null && scene.objects && !given.startsWith(':/')) return readObject(given, object, scene)
  const excludes = given.startsWith('^') ? '^' : ''
  const [from = '', dots = '', to = '', more] = given.slice(excludes.length).split(/(\.{2,3})/)
  if (more === undefined && isCommit(from) && (dots === '' ? from !== '' : isCommit(to))) {
    return { ok: true, value: `${excludes}${typed(from)}${dots}${typed(to)}` }
  }
  return {
    ok: false,
    reason: `'${given.slice(0, 200)}' is not a file here, and not a commit that can be checked. Name a branch, a tag or a digest.`,
  }
}

function readObject(given: string, [, base = '', path = '']: readonly string[], scene: RevisionScene): ReadRevision {
  const { workspace, cwd, repository } = scene
  const { workTree } = repository
  const file = /^\.{1,2}(?:\/|$)/.test(path) ? resolve(cwd, path) : join(workTree, path)
  if (workspace.judge(file) !== undefined || !isCommit(base)) {
    return { ok: false, reason: `Cannot use '${given.slice(0, 200)}': it is protected, or not a file of a commit.` }
  }
  return { ok: true, value: `${typed(base)}${given.slice(base.length)}` }
}

function isCommit(text: string): boolean {
  return COMMIT.test(text.replace(COMMITS_ONLY, ''))
}

function typed(text: string): string {
  return text === '' || COMMITS_ONLY.test(text) ? text : `${text}^{commit}`
}
