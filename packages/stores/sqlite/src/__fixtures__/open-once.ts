import { toErrorInfo } from '@parley/core'
import { openSqliteStore } from '../open-sqlite-store.ts'

/** Opens and closes the store, and prints the result. */
async function report(path: string): Promise<string> {
  try {
    await using store = await openSqliteStore({ path })
    return JSON.stringify({ opened: store.name })
  } catch (error) {
    return JSON.stringify(toErrorInfo(error))
  }
}

process.stdout.write(`${await report(process.argv[2] ?? '')}\n`)
