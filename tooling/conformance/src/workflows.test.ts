import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const folder = join(import.meta.dirname, '../../../.github/workflows')
const files = globSync('*.yml', { cwd: folder })
const read = (file: string): string => readFileSync(join(folder, file), 'utf8')

it.each(files)('the workflow %s pins every action by hash, with its version', file => {
  const uses = read(file).match(/uses: .*/g) ?? []
  expect(uses).not.toEqual([])
  expect(uses.filter(line => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
})

it.each(files)(
  'the workflow %s grants nothing by default, and each of its jobs names its permissions and a timeout',
  file => {
    const text = read(file)
    expect(text).toMatch(/^permissions: \{\}$/m)
    const jobs = text.slice(text.indexOf('\njobs:\n')).match(/^ {2}[\w-]+:$/gm) ?? []
    expect(jobs).not.toEqual([])
    expect(text.match(/^ {4}permissions:$/gm)).toHaveLength(jobs.length)
    expect(text.match(/^ {4}timeout-minutes: \d+$/gm)).toHaveLength(jobs.length)
  },
)

it('the scripts that the workflows call exist', () => {
  const { scripts } = JSON.parse(readFileSync(join(folder, '../../package.json'), 'utf8')) as { scripts: object }
  const called = files.flatMap(file =>
    [...read(file).matchAll(/pnpm@12 (?!-|install|changeset)([\w:]+)/g)].map(([, name = '']) => name),
  )
  expect(called).not.toEqual([])
  expect(called.filter(name => !Object.hasOwn(scripts, name))).toEqual([])
})
