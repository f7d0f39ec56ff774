import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { TRICKS } from '../../../bench/tricks/catalogue.mjs'

const root = path.resolve(import.meta.dirname, '../../..')

it.each(TRICKS)('each replacement that undoes the performance trick $name has exactly one place', ({ undo }) => {
  for (const { file, from, to } of undo) {
    expect(readFileSync(path.join(root, file), 'utf8').split(from), `${file}: ${from}`).toHaveLength(2)
    expect(to).not.toBe(from)
  }
})
