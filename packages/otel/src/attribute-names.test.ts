import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { ATTRIBUTE } from './attribute-names.ts'

it('the README lists every attribute by its key', async () => {
  const text = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  expect(Object.values(ATTRIBUTE).filter(key => !text.includes(`\`${key}\``))).toEqual([])
})
