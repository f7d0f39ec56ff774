import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  CASES,
  CLIENTS,
  NOTES,
  type ClientCell,
  type ClientName,
  type TestedClient,
} from './__fixtures__/client-cells.ts'

const read = (...parts: string[]): string => readFileSync(path.join(import.meta.dirname, ...parts), 'utf8')

/** The sources of a test and of the fixtures that it uses. */
function sourcesOf(file: string, seen = new Set<string>()): string {
  const source = read(file)
  const names = [...source.matchAll(/'(?:\.\/)?(?:__fixtures__\/)?([\w-]+\.(?:ts|mjs))'/g)].map(([, name = '']) => name)
  const fixtures = names.filter(name => FIXTURES.has(name) && name !== 'client-cells.ts' && !seen.has(name))
  for (const name of fixtures) seen.add(name)
  return [source, ...fixtures.map(name => sourcesOf(`__fixtures__/${name}`, seen))].join('\n')
}

const FIXTURES: ReadonlySet<string> = new Set(readdirSync(path.join(import.meta.dirname, '__fixtures__')))
const files = readdirSync(import.meta.dirname).filter(
  name => name.endsWith('.test.ts') && name !== 'clients-table.test.ts',
)

/** The files whose tests back each cell. A test that is skipped in its source backs none. */
function collectCells(): ReadonlyMap<ClientCell, readonly string[]> {
  const cells = new Map<ClientCell, string[]>()
  for (const file of files) {
    const source = read(file)
    if (/\bdescribe\.(?:skip|todo)\b/.test(source)) continue
    for (const { 1: names = '', index } of source.matchAll(/\bcovers\(([^)]*)\)/g)) {
      const test =
        source
          .slice(0, index)
          .match(/\b(?:it|test|describe)\b[.\w]*(?=\()/g)
          ?.at(-1) ?? ''
      if (/skip|todo|fails/.test(test)) continue
      for (const [, cell] of names.matchAll(/'([^']+)'/g)) {
        const known = cells.get(cell as ClientCell) ?? []
        cells.set(cell as ClientCell, known.includes(file) ? known : [...known, file])
      }
    }
  }
  return cells
}

const cells = collectCells()
const clients = Object.keys(CLIENTS) as ClientName[]
const all = clients.flatMap(client => CASES.map((name): ClientCell => `${client}: ${name}`))

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** The pinned version of each client: a package that tests import, or a program that they start. */
const versions = {
  ...(JSON.parse(read('../package.json')) as Manifest).devDependencies,
  ...(JSON.parse(read('../../../tooling/runtimes/programs/package.json')) as Manifest).dependencies,
}

function versionOf({ packages: [first], recorded }: TestedClient): string {
  return recorded ?? `\`${first ?? ''}\` ${versions[first ?? ''] ?? ''}`
}

/** The lines of a Markdown table, in columns. */
function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  const lineOf = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = rows
  return [lineOf(head), `| ${widths.map(width => '-'.repeat(width)).join(' | ')} |`, ...body.map(lineOf)].join('\n')
}

function documentOf(): string {
  const notes: string[] = []
  const row = (client: ClientName): readonly string[] => [
    client,
    versionOf(CLIENTS[client]),
    ...CASES.map(name => {
      const cell: ClientCell = `${client}: ${name}`
      const mark = cells.has(cell) ? 'yes' : 'no'
      const note = NOTES[cell]
      return note === undefined ? mark : `${mark} (${notes.push(note)})`
    }),
  ]
  const rows = [['client', 'version', ...CASES], ...clients.map(row)]
  return `# Clients that drive the server in tests

Unmodified clients drive a real server in every run of the tests. A client whose package is not on npm is recorded. \`yes\` means
that a test drives the case with this client. \`no\` means that the client or its protocol has no such case. \`clients-table.test.ts\`
writes this file from the tests and fails if a cell has neither a test nor a note.

${tableOf(rows)}

${notes.map((note, index) => `${index + 1}. ${note}`).join('\n')}
`
}

describe('the table of clients', () => {
  it('each cell has a test, or a note that says why it has none', () => {
    expect(all.filter(cell => !cells.has(cell) && NOTES[cell] === undefined)).toEqual([])
  })

  it('each test and each note names a cell', () => {
    const named = [...cells.keys(), ...Object.keys(NOTES)]
    expect(named.filter(cell => !(all as string[]).includes(cell))).toEqual([])
  })

  it.each(clients)('the tests of %s import the client in a pinned version', client => {
    const { packages, recorded }: TestedClient = CLIENTS[client]
    const backing = new Set(all.filter(cell => cell.startsWith(`${client}: `)).flatMap(cell => cells.get(cell) ?? []))
    for (const name of packages) expect(versions[name]).toMatch(/^\d+\.\d+\.\d+$/)
    const marks = recorded === undefined ? packages : ['reference-requests.ts']
    for (const file of backing) {
      const source = sourcesOf(file)
      expect([file, marks.some(mark => source.includes(recorded === undefined ? `'${mark}` : mark))]).toEqual([
        file,
        true,
      ])
    }
  })

  it('CLIENTS.md shows the table', async () => {
    await expect(documentOf()).toMatchFileSnapshot('../CLIENTS.md')
  })
})
