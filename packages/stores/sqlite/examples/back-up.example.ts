import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '@parley/sqlite'

const folder = await mkdtemp(join(tmpdir(), 'parley-example-'))
const path = join(folder, 'runs.db')
await using _store = await openSqliteStore({ path })
// #region back-up
import { backUpSqliteStore } from '@parley/sqlite'

await backUpSqliteStore({ path, to: join(folder, 'copy.db') })
// #endregion
console.log('copied') // → copied
