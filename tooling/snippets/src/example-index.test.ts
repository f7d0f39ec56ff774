import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const examples = join(import.meta.dirname, '../../../examples')
const text = readFileSync(join(examples, 'README.md'), 'utf8')
const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)

it('the index of the examples links every example', () => {
  const files = readdirSync(examples, { recursive: true, encoding: 'utf8' })
  const programs = files.filter(file => file.endsWith('.example.ts') && !file.includes('node_modules'))
  const folders = readdirSync(examples, { withFileTypes: true }).filter(entry => entry.isDirectory())
  expect(links).toEqual(expect.arrayContaining(programs))
  for (const { name } of folders) expect(links.filter(link => link.startsWith(`${name}/`))).not.toEqual([])
})

it('every link of the index of the examples leads to a file', () => {
  expect(links.filter(link => !existsSync(join(examples, link)))).toEqual([])
})
