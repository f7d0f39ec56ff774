import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { difference } from './facts.ts'
import { folderFacts } from './folder-facts.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-folder-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('folderFacts', () => {
  it('folderFacts counts equal lines, so that a line that is appended twice shows', () => {
    appendFileSync(join(folder, 'a.txt'), 'one\n')
    const before = folderFacts(folder)
    appendFileSync(join(folder, 'a.txt'), 'one\n')
    expect(difference(before, folderFacts(folder))).toEqual({ 'a.txt\tone': 1 })
  })

  it('folderFacts shows folders and files that are binary or empty', () => {
    mkdirSync(join(folder, 'inner'))
    writeFileSync(join(folder, 'inner/empty'), '')
    writeFileSync(join(folder, 'image'), Buffer.from([0, 1, 2]))
    expect(Object.keys(folderFacts(folder)).toSorted()).toEqual([
      expect.stringMatching(/^image\t[0-9a-f]{64}$/),
      'inner\tfolder',
      'inner/empty\tfile',
    ])
  })

  it('folderFacts reads the rows of a SQLite file and not its bytes', () => {
    const database = new DatabaseSync(join(folder, 'stock.db'))
    database.exec("CREATE TABLE stock (item TEXT, n INTEGER); INSERT INTO stock VALUES ('tea', 1)")
    const before = folderFacts(folder)
    expect(before).toEqual({ 'stock.db stock\ttable': 1, 'stock.db stock\t{"item":"tea","n":1}': 1 })
    database.exec('UPDATE stock SET n = 2; UPDATE stock SET n = 1')
    expect(folderFacts(folder)).toEqual(before)
    database.close()
  })

  it('folderFacts leaves out what a killed process leaves beside a file that it replaces', () => {
    for (const name of ['page.tmp-1a2b', '.page.swp', 'page~', 'stock.db-wal']) writeFileSync(join(folder, name), 'x')
    expect(folderFacts(folder)).toEqual({})
  })
})
