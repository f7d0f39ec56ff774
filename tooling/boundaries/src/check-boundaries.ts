import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { checkReference } from './check-references.ts'
import type { Exception } from './exceptions.ts'
import { listSourceFiles, type SourceFile } from './source-file.ts'
import { readSourceFacts, type BannedForm } from './source-facts.ts'
import type { Violation } from './violation.ts'
import { readManifest, readWorkspaces, type Workspace } from './workspace.ts'

export interface BoundariesOptions {
  /** The folder that holds pnpm-workspace.yaml. */
  readonly root: string
  /** @default [] */
  readonly exceptions?: readonly Exception[] | undefined
}

export interface BoundariesReport {
  /** By file and line. */
  readonly violations: readonly Violation[]
  /** How much was read: a check that finds no files proves nothing. */
  readonly files: number
  readonly packages: number
}

const VAGUE_NAME = /^(utils?|helpers?|common|misc|types)(\.|$)/

const BANS: Readonly<Record<BannedForm['rule'], string>> = {
  'export-all': 'Name the exports: the public surface changes only where someone reads it.',
  'vi-mock': 'Pass a fake through an option instead.',
  ambient: 'Take it as an option; the global may only be its default.',
}

/** Holds every package against the picture of the architecture. */
export function checkBoundaries({ root, exceptions = [] }: BoundariesOptions): BoundariesReport {
  const { devDependencies, dependencies } = readManifest(root)
  const rootDependencies = new Set(Object.keys({ ...devDependencies, ...dependencies }))
  // Benchmarks stand outside: they load other people's packages from folders of their own.
  const workspaces = readWorkspaces(root).filter(workspace => workspace.dir !== 'bench')
  const ours = new Map(workspaces.map(workspace => [workspace.manifest.name, workspace]))
  const found: Violation[] = []
  let files = 0
  for (const workspace of workspaces) {
    found.push(...checkManifest(root, workspace))
    for (const file of listSourceFiles(root, workspace)) {
      files += 1
      found.push(...checkFile({ root, workspace, ours, rootDependencies }, file))
    }
  }
  return { violations: excuse(found, exceptions).toSorted(byPlace), files, packages: workspaces.length }
}

interface FileContext {
  readonly root: string
  readonly workspace: Workspace
  readonly ours: ReadonlyMap<string, Workspace>
  readonly rootDependencies: ReadonlySet<string>
}

function checkFile(context: FileContext, file: SourceFile): readonly Violation[] {
  const { root, workspace } = context
  const { place } = workspace
  const found: Violation[] = []
  if (VAGUE_NAME.test(basename(file.path))) {
    found.push({ rule: 'file-name', file: file.path, line: 1, message: 'Name the file after the one concept in it.' })
  }
  const { references, banned } = readSourceFacts(file.path, readFileSync(join(root, file.path), 'utf8'))
  for (const { rule, text, line } of banned) {
    if (rule === 'ambient' && (file.dev || !/^packages\/.*\/src\//.test(file.path))) continue
    found.push({ rule, file: file.path, line, message: `${text}: ${BANS[rule]}` })
  }
  if (place === undefined) return found
  for (const reference of references) {
    const findings = checkReference(reference, { ...context, place, file })
    found.push(...findings.map(finding => ({ ...finding, file: file.path, line: reference.line })))
  }
  return found
}

function checkManifest(root: string, { dir, manifest, place }: Workspace): readonly Violation[] {
  const file = `${dir}/package.json`
  if (place === undefined) {
    return [{ rule: 'place', file, line: 1, message: `The picture of the architecture shows no ${dir}.` }]
  }
  const lists = { ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies }
  if (!('@parley/testing' in lists)) return []
  const line = lineOf(readFileSync(join(root, file), 'utf8'), '"@parley/testing"')
  return [{ rule: 'testing-is-dev', file, line, message: '@parley/testing belongs in devDependencies.' }]
}

function lineOf(text: string, part: string): number {
  return text.slice(0, text.indexOf(part)).split('\n').length
}

function excuse(found: readonly Violation[], exceptions: readonly Exception[]): readonly Violation[] {
  const covers = (exception: Exception, violation: Violation): boolean =>
    exception.rule === violation.rule && exception.file === violation.file
  const stale = exceptions.filter(exception => !found.some(violation => covers(exception, violation)))
  return [
    ...found.filter(violation => !exceptions.some(exception => covers(exception, violation))),
    ...stale.map(({ rule, file }) => ({
      rule: 'exception' as const,
      file,
      line: 1,
      message: `The exception from '${rule}' excuses nothing. Remove it.`,
    })),
  ]
}

function byPlace(a: Violation, b: Violation): number {
  return a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1
}
