import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const FOLDER = path.join(import.meta.dirname, '../../decisions')

it('every decision has a number of its own, without gaps, and its heading repeats the number', () => {
  const names = readdirSync(FOLDER)
    .filter(name => /^\d/.test(name))
    .toSorted()
  expect(names.map(name => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1))
  for (const [index, name] of names.entries())
    expect(readFileSync(path.join(FOLDER, name), 'utf8')).toMatch(new RegExp(`^# ${index + 1}\\. `))
})
