import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSourceFacts, type SourceFacts } from './source-facts.ts'
import { listSourceFiles, type SourceFile } from './source-file.ts'
import type { Workspace } from './workspace.ts'

/** A source file, with the facts about its text that the rules need. */
export interface SourceModule {
  readonly file: SourceFile
  readonly facts: SourceFacts
  /** The number of lines. */
  readonly lines: number
}

/** Reads every source file of the package, tests and fixtures included. */
export function readModules(root: string, workspace: Workspace): readonly SourceModule[] {
  return listSourceFiles(root, workspace).map(file => {
    const text = readFileSync(join(root, file.path), 'utf8')
    return { file, facts: readSourceFacts(file.path, text), lines: text.trimEnd().split('\n').length }
  })
}
