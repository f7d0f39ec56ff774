import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { checkClasses } from './check-classes.ts'
import { checkContracts } from './check-contracts.ts'
import { checkCycles } from './check-cycles.ts'
import { checkFloors } from './check-floors.ts'
import { checkReference } from './check-references.ts'
import { checkRooms } from './check-rooms.ts'
import type { Contracts } from './contract-files.ts'
import type { Building } from './engine-floors.ts'
import type { Exception } from './exceptions.ts'
import { findImportEdges } from './import-edges.ts'
import type { BannedForm } from './source-facts.ts'
import { readModules, type SourceModule } from './source-module.ts'
import type { Violation } from './violation.ts'
import { readManifest, readWorkspaces, type Workspace } from './workspace.ts'

export interface BoundariesOptions {
  /** The folder that holds pnpm-workspace.yaml. */
  readonly root: string
  /** Places where a rule does not apply. @default [] */
  readonly exceptions?: readonly Exception[] | undefined
  /** The package whose folders stand on floors. @default none */
  readonly building?: Building | undefined
  /** The files whose length is limited. @default none */
  readonly contracts?: Contracts | undefined
}

export interface BoundariesReport {
  /** Violations, sorted by file, then by line. */
  readonly violations: readonly Violation[]
  /** The number of files read. A check that finds no files proves nothing. */
  readonly files: number
  readonly packages: number
}

const VAGUE_NAME = /^(utils?|helpers?|common|misc|types)(\.|$)/

const BANS: Readonly<Record<BannedForm['rule'], string>> = {
  'export-all': 'Name each export, so that a reviewer sees every change of the public surface.',
  'vi-mock': 'Pass a fake through an option instead.',
  ambient: 'Accept it as an option. The global may only be the default of the option.',
  steady: 'A comment above it that begins with `// Steady:` and gives the reason makes an exception.',
  'kept-alive':
    'V8 keeps what it refers to in memory until it collects the whole heap. Use a class for a getter. Assign a function to a constant first, or declare it as a field.',
}

/** The published files to which a rule applies. @default all files, also those that are not published */
const SCOPES: Partial<Record<BannedForm['rule'], RegExp>> = {
  ambient: /^packages\/.*\/src\//,
  // What a run, a model call or a request uses.
  'kept-alive': /^(?:packages\/(?:core|engine|middleware|protocols|providers|stores)|apps\/server)\/.*src\//,
}

/** Compares every package with the picture of the architecture. */
export function checkBoundaries(options: BoundariesOptions): BoundariesReport {
  const { root, exceptions = [] } = options
  const { devDependencies, dependencies } = readManifest(root)
  const rootDependencies = new Set(Object.keys({ ...devDependencies, ...dependencies }))
  // The benchmarks load packages of other projects from their own folders.
  const workspaces = readWorkspaces(root).filter(workspace => workspace.dir !== 'bench')
  const ours = new Map(workspaces.map(workspace => [workspace.manifest.name, workspace]))
  const found: Violation[] = []
  let files = 0
  for (const workspace of workspaces) {
    found.push(...checkManifest(root, workspace))
    const modules = readModules(root, workspace)
    files += modules.length
    found.push(...modules.flatMap(module => checkModule({ workspace, ours, rootDependencies }, module)))
    found.push(...checkStructure(workspace, modules, options))
  }
  return { violations: excuse(found, exceptions).toSorted(byPlace), files, packages: workspaces.length }
}

interface ModuleContext {
  readonly workspace: Workspace
  readonly ours: ReadonlyMap<string, Workspace>
  readonly rootDependencies: ReadonlySet<string>
}

function checkModule(context: ModuleContext, { file, facts }: SourceModule): readonly Violation[] {
  const { place } = context.workspace
  const found: Violation[] = []
  if (VAGUE_NAME.test(basename(file.path))) {
    found.push({
      rule: 'file-name',
      file: file.path,
      line: 1,
      message: 'This name says nothing about the content. Name the file after the concept in it.',
    })
  }
  for (const { rule, text, line } of facts.banned) {
    const scope = SCOPES[rule]
    if (scope !== undefined && (file.dev || !scope.test(file.path))) continue
    found.push({ rule, file: file.path, line, message: `${text}: ${BANS[rule]}` })
  }
  if (place === undefined) return found
  for (const reference of facts.references) {
    const findings = checkReference(reference, { ...context, place, file })
    found.push(...findings.map(finding => ({ ...finding, file: file.path, line: reference.line })))
  }
  return found
}

/** Applies the rules that need all files of a package together. */
function checkStructure(
  { dir, manifest }: Workspace,
  modules: readonly SourceModule[],
  { building, contracts }: BoundariesOptions,
): readonly Violation[] {
  const edges = findImportEdges(modules)
  return [
    ...modules.flatMap(checkClasses),
    ...checkCycles(edges),
    ...checkRooms(modules),
    ...(building?.dir === dir ? checkFloors({ building, manifest, modules, edges }) : []),
    ...(contracts?.dir === dir ? checkContracts(contracts, modules) : []),
  ]
}

function checkManifest(root: string, { dir, manifest, place }: Workspace): readonly Violation[] {
  const file = `${dir}/package.json`
  if (place === undefined) {
    return [
      {
        rule: 'place',
        file,
        line: 1,
        message: `The picture of the architecture does not show ${dir}. Add it to place.ts or move the package.`,
      },
    ]
  }
  const lists = { ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies }
  if (!('@parley/testing' in lists)) return []
  const line = lineOf(readFileSync(join(root, file), 'utf8'), '"@parley/testing"')
  return [{ rule: 'testing-is-dev', file, line, message: '@parley/testing must be in devDependencies.' }]
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
