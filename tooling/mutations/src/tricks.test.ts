import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'

interface Trick {
  readonly name: string
  readonly undo: readonly { readonly file: string; readonly from: string; readonly to: string }[]
}

const root = path.resolve(import.meta.dirname, '../../..')
const catalogue = pathToFileURL(path.join(root, 'bench/tricks/catalogue.mjs')).href
const { TRICKS } = (await import(catalogue)) as { readonly TRICKS: readonly Trick[] }

it.each(TRICKS)('each replacement that undoes the performance trick $name has exactly one place', ({ undo }) => {
  for (const { file, from, to } of undo) {
    expect(readFileSync(path.join(root, file), 'utf8').split(from), `${file}: ${from}`).toHaveLength(2)
    expect(to).not.toBe(from)
  }
})
