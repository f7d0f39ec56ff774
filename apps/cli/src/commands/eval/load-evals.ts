import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ParleyError } from '@parley/core'
import { isEval, type Eval } from '@parley/evals'

const PATTERN = '**/*.eval.{ts,mts,js,mjs}'
const SKIPPED = new Set(['node_modules', 'dist', '.git', '.parley'])

/** Returns the given files, or every eval file below the working directory. @throws ParleyError `config-invalid` if there is none. */
export function findEvalFiles(files: readonly string[]): readonly string[] {
  if (files.length > 0) return files
  const found = globSync(PATTERN, { exclude: path => SKIPPED.has(path.split(/[\\/]/).at(-1) ?? '') }).toSorted()
  if (found.length > 0) return found
  const detail = 'there is no file *.eval.ts below this folder; write one that exports an eval of defineEval'
  throw new ParleyError({ code: 'config-invalid', path: 'eval', detail })
}

/**
 * Imports the evals that files export: every export that `defineEval` made, under any name.
 * @throws ParleyError `file-unreadable` if a file fails to load, `config-invalid` if one exports no eval, or if two evals have the same
 * name.
 */
export async function loadEvals(files: readonly string[]): Promise<readonly Eval[]> {
  const evals = new Map<string, { readonly found: Eval; readonly path: string }>()
  for (const path of files) {
    const exported = new Set(Object.values(await importFile(path)).filter(isEval))
    if (exported.size === 0) {
      const detail = 'exports no eval; write `export const name = defineEval({ … })`'
      throw new ParleyError({ code: 'config-invalid', path, detail })
    }
    for (const found of exported) {
      const before = evals.get(found.name)
      if (before !== undefined) {
        const detail = `the eval '${found.name}' is also in ${before.path}; names must be unique, because results are kept by them`
        throw new ParleyError({ code: 'config-invalid', path, detail })
      }
      evals.set(found.name, { found, path })
    }
  }
  return [...evals.values()].map(({ found }) => found)
}

async function importFile(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(resolve(path)).href)) as Readonly<Record<string, unknown>>
  } catch (cause) {
    // The error of `defineEval` says what is wrong with the eval.
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw new ParleyError({ code: 'file-unreadable', path, detail }, { cause })
  }
}
