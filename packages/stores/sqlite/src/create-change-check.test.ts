import SqliteDatabase from 'better-sqlite3'
import { expect, it } from 'vitest'
import { openTemporaryFolder } from './__fixtures__/temporary-folder.ts'
import { createChangeCheck } from './create-change-check.ts'

it('a change check notices each write of another connection once, and none of its own connection', async () => {
  await using folder = await openTemporaryFolder()
  const [own, other] = [new SqliteDatabase(folder.file('a.db')), new SqliteDatabase(folder.file('a.db'))]
  own.exec('create table t (x)')
  const hasChanged = createChangeCheck(own)
  expect([hasChanged(), hasChanged()]).toEqual([true, false])
  own.exec('insert into t values (1)')
  expect(hasChanged()).toBe(false)
  other.exec('insert into t values (2)')
  expect([hasChanged(), hasChanged()]).toEqual([true, false])
  own.close()
  other.close()
})
